// What a switch makes itself, in a pool that has no buffer left.
#include "pmd_glue/devices.h"

#include <gtest/gtest.h>

#include "dataplane/retry/retry_shim.h"
#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {
namespace {

Settings retry_at_port_0() {
    Settings settings;
    settings.ports.resize(2);
    settings.ports[0].retry.is_on = true;
    return settings;
}

class DevicesTest : public testing::Test {
  protected:
    DevicesTest() {
        Ports ports{};
        for (const PortIndex port : {PortIndex{0}, PortIndex{1}})
            ports[port] = &near_[port]->bursts();
        devices_.use(ports, dataplane_);
    }
    void TearDown() override {
        devices_.free_own();
        free_frames(*pool_, taken_);
        for (auto& port : near_) port.reset();
        for (auto& port : far_) port.reset();
        EXPECT_EQ(pool_->available(), pool_->size());
    }
    void take_all_buffers() {
        std::array<Frame, 1> one;
        while (pool_->allocate(one, 60)) taken_.push_back(one[0]);
    }
    [[nodiscard]] bool sends(PortIndex port, std::size_t octets = retry_signal_octets) {
        return devices_.send(port, std::vector<uint8_t>(octets));
    }

    std::unique_ptr<Pool> pool_ = make_pool(BufferLayout::packed, 2048);
    std::array<std::unique_ptr<Port>, 2> near_{open_port("ring:devices0/a", *pool_),
                                               open_port("ring:devices1/a", *pool_)};
    std::array<std::unique_ptr<Port>, 2> far_{open_port("ring:devices0/b", *pool_),
                                              open_port("ring:devices1/b", *pool_)};
    Switch dataplane_{retry_at_port_0()};
    Devices devices_{*pool_};
    std::vector<Frame> taken_;
};

TEST_F(DevicesTest, APortWithRetryKeepsABuffer) {
    EXPECT_TRUE(sends(0));
    EXPECT_TRUE(sends(1));
    take_all_buffers();
    EXPECT_FALSE(sends(1));
    EXPECT_TRUE(devices_.send_in_order(0, std::vector<uint8_t>(1000), 3)) << "of any length";
    EXPECT_FALSE(sends(0)) << "until one is back";
    EXPECT_FALSE(devices_.gives_up(0));
    EXPECT_EQ(receive_all(*far_[0], *pool_).size(), 2U);
    EXPECT_TRUE(sends(0));
    take_all_buffers();
    EXPECT_TRUE(sends(0)) << "the next was kept at once";
}

}  // namespace
}  // namespace sluice::pmd
