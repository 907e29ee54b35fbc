#include "dataplane/fabric/handoff.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;

// Worker 0 hands over to port 1, which is worker 1's, or to another odd one.
class Between {
  public:
    explicit Between(uint8_t workers = 2, std::size_t ports = 4, Bytes quantum = 64_KiB)
        : settings_(test::settings_of(ports, workers)),
          queues_(workers),
          crossbar_(settings_.fabric, ports, workers),
          handoff_(0, settings_, queues_, crossbar_) {
        handoff_.configure(quantum);
    }
    bool push(PortIndex output = 1, Bytes length = 60_B, Priority priority = 3) {
        Frame frame{};
        frame.length = static_cast<uint16_t>(length.count());
        frame.vlan = ++last_;
        frame.priority = priority;
        return handoff_.push(frame, output);
    }
    // Pushes frames until there is no room. Returns how many found room.
    std::size_t push_all(PortIndex output = 1, Bytes length = 60_B) {
        std::size_t pushed = 0;
        while (push(output, length)) ++pushed;
        return pushed;
    }
    // Returns the numbers that worker 1 takes.
    std::string taken() {
        std::string numbers;
        const auto visit = [&](const HandedOver& handed_over) {
            numbers += std::to_string(handed_over.frame.vlan) + "@" +
                       std::to_string(handed_over.output) + " ";
        };
        queues_.take(1, visit, [] {});
        return numbers;
    }
    Crossbar::Shard& other() { return crossbar_.shard(1); }
    Handoff& handoff() { return handoff_; }
    HandoffQueues& queues() { return queues_; }

  private:
    Settings settings_;
    HandoffQueues queues_;
    Crossbar crossbar_;
    Handoff handoff_;
    VlanId last_ = 0;
};

TEST(Handoff, KeepsTheOrderAndSaysWhereTo) {
    Between between;
    for (const PortIndex output : std::to_array<PortIndex>({1, 3, 1})) {
        EXPECT_TRUE(between.push(output));
    }
    between.handoff().publish();
    EXPECT_EQ(between.taken(), "1@1 2@3 3@1 ");
    EXPECT_EQ(between.taken(), "");
}

// More than one batch, which are copied at different times.
TEST(Handoff, KeepsTheOrderOfMany) {
    Between between;
    std::string order;
    static_assert(2 * max_transfer > max_burst);
    for (std::size_t n = 1; n <= 2 * max_transfer; ++n) {
        const auto output = static_cast<PortIndex>(n % 2 == 0 ? 1 : 3);
        ASSERT_TRUE(between.push(output));
        order += std::to_string(n) + "@" + std::to_string(output) + " ";
    }
    EXPECT_EQ(between.taken(), "");
    between.handoff().publish();
    EXPECT_EQ(between.taken(), order);
}

TEST(Handoff, IsSeenOnceTheBurstIsOver) {
    Between between;
    between.push();
    EXPECT_EQ(between.taken(), "");
    EXPECT_TRUE(between.queues().empty());
    between.handoff().publish();
    EXPECT_FALSE(between.queues().empty());
    EXPECT_EQ(between.taken(), "1@1 ");
    EXPECT_TRUE(between.queues().empty());
}

TEST(Handoff, FillsNoMoreThanItsPartOfThePlaces) {
    Between between;
    EXPECT_EQ(between.push_all(1), max_transfer);
    EXPECT_EQ(between.push_all(3), max_transfer);  // of an egress queue of its own
    between.handoff().publish();
    EXPECT_FALSE(between.push());
    between.taken();
    EXPECT_EQ(between.push_all(1), max_transfer);
    EXPECT_EQ(between.push_all(3), max_transfer);
}

// Even if more frames are on their way then.
TEST(Handoff, HasThePlacesAgainOfAllThatWasCollected) {
    Between between;
    for (std::size_t n = 0; n < max_transfer / 2; ++n) EXPECT_TRUE(between.push());
    between.handoff().publish();
    between.taken();
    EXPECT_EQ(between.push_all(), max_transfer);
}

// A worker that sees that all was collected also sees what the output offers from then on.
TEST(Handoff, AnOutputThatIsFilledIsClosedBeforeItCountsAsCollected) {
    Between between;
    EXPECT_EQ(between.push_all(1), max_transfer);
    between.handoff().publish();
    const auto visit = [](const HandedOver&) {};
    between.queues().take(1, visit, [&] {
        EXPECT_FALSE(between.push(1)) << "not collected yet";
        between.other().offer(1, {.grant = 0, .handoff = 0});
    });
    EXPECT_FALSE(between.push(1)) << "collected, and closed";
    EXPECT_TRUE(between.push(3));
}

TEST(Handoff, AmongManyWorkersThePartsAreSmaller) {
    Between between(16, 16);
    EXPECT_EQ(between.push_all(), share_of_handoff(16));
}

TEST(Handoff, NorMoreThanAQuantum) {
    Between between(2, 4, 4_KiB);
    EXPECT_EQ(between.push_all(1, 1500_B), 2U);
    between.handoff().publish();
    between.taken();
    EXPECT_EQ(between.push_all(1, 1500_B), 2U);
}

TEST(Handoff, NeedsRoomOfItsPriority) {
    Between between;
    between.other().offer(1, {.grant = 0, .handoff = 0b1111'0111});
    EXPECT_FALSE(between.push(1, 60_B, 3));
    EXPECT_TRUE(between.push(1, 60_B, 4));
    EXPECT_TRUE(between.push(3, 60_B, 3));
    between.other().offer(1, {.grant = 0, .handoff = 0xFF});
    EXPECT_TRUE(between.push(1, 60_B, 3));
}

TEST(Handoff, AFullQueueRefuses) {
    Between between(2, 32);
    std::size_t pushed = 0;
    for (PortIndex output = 1; output < 32; output += 2) pushed += between.push_all(output);
    EXPECT_EQ(pushed, 512U);
    between.handoff().publish();
    between.taken();
    EXPECT_TRUE(between.push(31));
}

}  // namespace
}  // namespace sluice
