// Two lanes of one port: levels and thresholds are of what both hold, as far as each has looked.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "dataplane/ingress/ingress.h"
#include "tests/unit/dataplane/ingress/input.h"

namespace sluice {
namespace {

using namespace literals;
using test::Input;

// Lane 0 is the port itself, lane 1 is input 4 and of another worker.
class Lanes {
  public:
    explicit Lanes(const Settings& settings)
        : pool_(shared_size(settings), settings.buffer.cell, 2),
          crossbar_(settings.fabric, test::outputs + 1, 2) {
        constexpr std::array<PortIndex, 2> inputs = {0, test::outputs};
        for (WorkerIndex worker = 0; worker < 2; ++worker) {
            frames_.push_back(
                std::make_unique<FramePool>(FramePool::chunks_for(1000, 8 * test::outputs)));
            lanes_.push_back(std::make_unique<Ingress>(
                inputs[worker], test::outputs,
                Ingress::Shared{pool_.shard(worker), *frames_[worker], crossbar_.shard(worker)}));
            crossbar_.set_backlogs(inputs[worker], lanes_.back()->backlogs(), sizeof(Voq));
        }
        lanes_[0]->become_lane(0, {lanes_[1].get()});
        lanes_[1]->become_lane(0, {lanes_[0].get()});
        for (auto& lane : lanes_) lane->configure(settings);
    }
    // Receives one burst of `frames`, 1 KiB each. Returns how many entered.
    int receive(unsigned lane, int frames, PortIndex output, Priority priority = 3) {
        look(lane);
        int entered = 0;
        for (int n = 0; n < frames; ++n) entered += admit(lane, output, priority) ? 1 : 0;
        return entered;
    }
    void look(unsigned lane) {
        pool_.shard(static_cast<WorkerIndex>(lane)).refresh();
        lanes_[lane]->look_at_others();
    }
    bool admit(unsigned lane, PortIndex output, Priority priority = 3) {
        Frame frame{};
        frame.priority = priority;
        frame.length = 1024;
        return lanes_[lane]->admit(frame, output) == Drop::none;
    }
    // Frames leave one by one.
    void move(unsigned lane, int frames, PortIndex output, Priority priority = 3) {
        std::array<Frame, max_transfer> out;
        for (int n = 0; n < frames; ++n) {
            ASSERT_EQ(lanes_[lane]->move({output, priority}, out, 1_B), 1U);
        }
    }
    // The work of a worker whose lane receives nothing.
    void housekeep(unsigned lane) {
        pool_.shard(static_cast<WorkerIndex>(lane)).refresh();
        lanes_[lane]->reconsider();
    }
    [[nodiscard]] bool pausing(unsigned lane) const {
        return lanes_[lane]->pause_sender().pausing(3);
    }
    [[nodiscard]] const IngressPriorityGroup& group(unsigned lane) const {
        return lanes_[lane]->group(3);
    }
    [[nodiscard]] const Ingress& lane(unsigned lane) const { return *lanes_[lane]; }
    [[nodiscard]] const SharedBuffer& pool() const { return pool_; }

  private:
    SharedBuffer pool_;
    Crossbar crossbar_;
    std::vector<std::unique_ptr<FramePool>> frames_;
    std::vector<std::unique_ptr<Ingress>> lanes_;
};

// The settings of Input, with one frame a grant: XOFF 10 KiB, XON 4 KiB, headroom 6 KiB.
Settings lossless() {
    Settings settings = Input::lossless();
    settings.fabric.quantum = 1_B;
    return settings;
}

TEST(Lanes, AreHeldToOneThresholdTogether) {
    Lanes lanes(Input::ordinary());  // alpha 1: a queue holds the free pool, half of 64
    EXPECT_EQ(lanes.receive(0, 20, 1, 0), 20);
    EXPECT_EQ(lanes.receive(1, 20, 1, 0), 12);
    EXPECT_EQ(lanes.receive(0, 5, 1, 0), 0);
    EXPECT_EQ(lanes.receive(1, 20, 2, 0), 16);  // towards another output they hold nothing
}

TEST(Lanes, HaveTheReserveOfAQueueEachForItself) {
    Settings settings = Input::ordinary();
    settings.buffer.reserved = 1_KiB;
    settings.lanes = {{.port = 0, .worker = 1}};
    EXPECT_EQ(shared_size(settings), 64_KiB - 1_KiB * (5 * 4 * 8));
    settings.buffer.size = 161_KiB;  // 1 KiB is shared: nobody may take it at alpha 1
    settings.buffer.alpha_128 = 1;
    Lanes lanes(settings);
    EXPECT_EQ(lanes.receive(0, 2, 1, 0), 1);
    EXPECT_EQ(lanes.receive(1, 2, 1, 0), 1);
    EXPECT_EQ(lanes.pool().used(), 0_B);
}

TEST(Lanes, ReachXoffTogetherThatNeitherReachesAlone) {
    Lanes lanes(lossless());
    EXPECT_EQ(lanes.receive(0, 5, 1), 5);
    EXPECT_FALSE(lanes.pausing(0));
    EXPECT_EQ(lanes.receive(1, 4, 2), 4);
    EXPECT_FALSE(lanes.pausing(1));
    EXPECT_TRUE(lanes.admit(1, 2));
    EXPECT_TRUE(lanes.pausing(1));
    EXPECT_EQ(lanes.lane(1).pauses_caused({2, 3}), 1U);
    EXPECT_FALSE(lanes.pausing(0));  // that has not looked
    lanes.look(0);
    EXPECT_TRUE(lanes.pausing(0));
}

TEST(Lanes, ShareTheHeadroom) {
    Lanes lanes(lossless());
    lanes.receive(0, 10, 1);
    ASSERT_TRUE(lanes.pausing(0));
    EXPECT_EQ(lanes.receive(1, 4, 2), 4);
    EXPECT_EQ(lanes.group(1).headroom(), 4_KiB);
    EXPECT_EQ(lanes.receive(0, 4, 1), 2);
    EXPECT_EQ(lanes.receive(1, 1, 2), 0);
    EXPECT_EQ(lanes.group(0).headroom() + lanes.group(1).headroom(), 6_KiB);
    EXPECT_EQ(lanes.group(0).headroom_max(), 6U * 1024);
}

// However low the lane is that began the pause, and though it receives nothing any more.
TEST(Lanes, EndThePauseOnceBothAreLow) {
    Lanes lanes(lossless());
    lanes.receive(0, 6, 1);
    lanes.receive(1, 4, 2);
    ASSERT_TRUE(lanes.pausing(1));
    lanes.move(1, 4, 2);
    EXPECT_EQ(lanes.group(1).used(), 0_B);
    lanes.housekeep(1);
    EXPECT_TRUE(lanes.pausing(1));  // the other lane holds 6
    lanes.move(0, 2, 1);
    lanes.look(0);
    EXPECT_TRUE(lanes.pausing(0));  // which it did not request, and does not end
    lanes.housekeep(1);
    EXPECT_FALSE(lanes.pausing(1));
    lanes.look(0);
    EXPECT_FALSE(lanes.pausing(0));
}

// By at most a burst: each lane last looked at the other before its burst.
TEST(Lanes, GoBeyondALevelByWhatTheyTakeUnseen) {
    Lanes lanes(lossless());
    lanes.look(0);
    lanes.look(1);
    for (int n = 0; n < 9; ++n) {
        EXPECT_TRUE(lanes.admit(0, 1));
        EXPECT_TRUE(lanes.admit(1, 1));
    }
    EXPECT_FALSE(lanes.pausing(0) || lanes.pausing(1));
    lanes.look(0);
    EXPECT_TRUE(lanes.admit(0, 1));
    EXPECT_TRUE(lanes.admit(1, 1));
    EXPECT_TRUE(lanes.pausing(0) && lanes.pausing(1));
    // Both lanes request the pause, so both have to end it.
    lanes.move(0, 10, 1);
    lanes.move(1, 5, 1);
    EXPECT_TRUE(lanes.pausing(0) && lanes.pausing(1));
    lanes.move(1, 1, 1);
    EXPECT_TRUE(lanes.pausing(1));  // the other lane still requests it
    lanes.housekeep(0);
    lanes.housekeep(1);
    EXPECT_FALSE(lanes.pausing(0) || lanes.pausing(1));
    lanes.move(1, 4, 1);
    EXPECT_EQ(lanes.pool().used(), 0_B);
}

TEST(Lanes, KeepTheReserveOfAGroupTogether) {
    Settings settings = lossless();
    settings.ports[0].pfc.reserved = 3_KiB;
    Lanes lanes(settings);
    lanes.receive(0, 2, 1);
    lanes.receive(1, 2, 1);
    EXPECT_EQ(lanes.pool().used(), 1_KiB);
    lanes.move(1, 2, 1);
    lanes.move(0, 2, 1);
    EXPECT_EQ(lanes.pool().used(), 0_B);
}

TEST(Lanes, EndThePauseOfWhatStopsBeingLossless) {
    Lanes lanes(lossless());
    lanes.receive(0, 5, 1);
    lanes.receive(1, 5, 1);
    ASSERT_TRUE(lanes.pausing(1));
    const_cast<Ingress&>(lanes.lane(1)).configure(Input::ordinary());
    EXPECT_FALSE(lanes.pausing(1));
}

}  // namespace
}  // namespace sluice
