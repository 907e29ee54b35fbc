#include "dataplane/forward/flush_orders.h"

#include <gtest/gtest.h>

#include <atomic>
#include <sstream>
#include <string>
#include <thread>

namespace sluice {
namespace {

// Takes the orders. Returns them as `p` ports and `v` VLANs, in order.
std::string taken(FlushOrders& orders) {
    std::ostringstream list;
    orders.take([&](PortIndex port) { list << 'p' << unsigned{port} << ' '; },
                [&](VlanId vlan) { list << 'v' << vlan << ' '; });
    return list.str();
}

TEST(FlushOrders, AreTakenOnce) {
    FlushOrders orders;
    EXPECT_EQ(taken(orders), "");
    orders.port(63);
    orders.vlan(4094);
    orders.port(0);
    orders.vlan(1);
    orders.vlan(64);
    EXPECT_EQ(taken(orders), "p0 p63 v1 v64 v4094 ");
    EXPECT_EQ(taken(orders), "");
}

TEST(FlushOrders, AllIsEveryPort) {
    FlushOrders orders;
    orders.all();
    int ports = 0;
    orders.take([&](PortIndex) { ++ports; }, [](VlanId) { FAIL(); });
    EXPECT_EQ(ports, 64);
}

// Somebody orders while another takes: every order is carried out.
TEST(FlushOrders, NoneIsLostWhileOthersAreTaken) {
    FlushOrders orders;
    std::atomic<uint64_t> carried_out{0};
    std::atomic<bool> over{false};
    std::thread worker([&] {
        while (!over) {
            orders.take([](PortIndex) { FAIL(); }, [&](VlanId vlan) { carried_out = vlan; });
            std::this_thread::yield();
        }
    });
    for (int turn = 0; turn < 10'000; ++turn) {
        const auto vlan = static_cast<VlanId>(1 + turn % 4094);
        orders.vlan(vlan);
        while (carried_out != vlan) std::this_thread::yield();
    }
    over = true;
    worker.join();
}

}  // namespace
}  // namespace sluice
