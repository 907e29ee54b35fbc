// A Daemon inside another program, as an embedder uses it: ring ports, no signals, no socket, and a
// companion that holds the far ends. EAL starts once a process, so this is one journey.
#include "control/daemon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "config/loader.h"
#include "dataplane/address.h"

namespace sluice::control {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t alice = 0x020000000001;
constexpr uint64_t bob = 0x020000000002;
constexpr std::string_view two_rings =
    "ports:\n"
    "- {name: p0, device: 'ring:d0/a'}\n"
    "- {name: p1, device: 'ring:d1/a'}\n"
    "buffer: {size: 1MiB}\n";

// The far end of a ring, and one frame at a time.
class Station {
  public:
    Station(const std::string& device, pmd::Pool& pool) : pool_(pool) {
        pmd::PortRequest request;
        request.name = device;
        request.device = *pmd::parse_device(device);
        port_ = *pmd::Port::open(request, pool);
    }
    void send(uint64_t source, uint64_t destination) {
        Frame frame;
        ASSERT_TRUE(pool_.allocate(std::span(&frame, 1), 60));
        std::fill_n(frame.data, 60, uint8_t{0});
        write_address(frame.data, {destination});
        write_address(frame.data + 6, {source});
        write_16(frame.data + 12, 0x88B5);
        ASSERT_EQ(port_->transmit(std::span(&frame, 1)), 1);
    }
    bool receive() {
        std::array<Frame, 1> frame;
        if (port_->receive(frame) == 0) return false;
        pool_.free(std::span(&frame[0].handle, 1));
        return true;
    }

  private:
    pmd::Pool& pool_;
    std::unique_ptr<pmd::Port> port_;
};

TEST(Daemon, runs_inside_another_program) {
    DaemonOptions options;
    options.signals = options.answer = false;
    options.chassis.eal_arguments = {"--no-huge", "-m", "256"};
    options.chassis.companion_buffers = 8192;
    auto started = Daemon::start(*config::load_text(two_rings, "test"), options);
    ASSERT_TRUE(started) << started.error().lines[0];
    Daemon& daemon = **started;
    {
        Station near("ring:d0/b", daemon.chassis().pool());
        Station far("ring:d1/b", daemon.chassis().pool());
        near.send(alice, bob);
        int turns = 0;
        while (!far.receive() && ++turns < 5000) daemon.run_once(1ms);
        EXPECT_LT(turns, 5000) << "the frame did not arrive";

        EXPECT_EQ(daemon.show("fdb")[0]["address"], "02:00:00:00:00:01");
        EXPECT_EQ(daemon.show("ports")[1]["tx_frames"], 1);

        std::string next(two_rings);
        EXPECT_TRUE(daemon.apply(next + "fdb: {ageing: 20s}\n", "next"));
        const auto faulty = daemon.apply("ports: 3", "faulty");
        ASSERT_FALSE(faulty);
        EXPECT_EQ(faulty.error().status, Status::wrong_input);
        const auto restart = daemon.apply(next + "fdb: {capacity: 64}\n", "restart");
        ASSERT_FALSE(restart);
        EXPECT_EQ(restart.error().status, Status::failed);
        daemon.stop();
    }
    EXPECT_TRUE(ledger_of(daemon.chassis().dataplane()).balanced());
    const Json events = daemon.show("events");
    ASSERT_EQ(events.size(), 3);
    EXPECT_EQ(events[1]["kind"], "adopted");
    EXPECT_EQ(events[2]["kind"], "stopping");
}

}  // namespace
}  // namespace sluice::control
