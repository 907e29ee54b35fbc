#include "dataplane/pfc/queue_backpressure.h"

#include <gtest/gtest.h>

#include <array>

namespace sluice {
namespace {

using namespace literals;

Frame of(Priority priority) {
    Frame frame{};
    frame.priority = priority;
    return frame;
}

TEST(QueueBackpressure, HoldsNothingAtFirst) {
    const QueueBackpressure gate;
    EXPECT_EQ(gate.refused(), 0);
}

TEST(QueueBackpressure, IsRefusedUntilAFrameOfItWasTaken) {
    QueueBackpressure gate;
    gate.refuse(3, 1_us);
    gate.refuse(3, 2_us);
    const std::array others = {of(0), of(5)};
    gate.took(others, 3_us);
    EXPECT_EQ(gate.refused(), 0b0000'1000);
    const std::array three = {of(0), of(3)};
    gate.took(three, 11_us);
    EXPECT_EQ(gate.refused(), 0);
    EXPECT_EQ(gate.refusals(3), 1U) << "it began once";
    EXPECT_EQ(gate.history(3).total(1_s), 10_us);
    EXPECT_EQ(gate.history(0).total(1_s), 0_us);
    gate.refuse(3, 20_us);
    EXPECT_EQ(gate.refusals(3), 2U);
}

TEST(QueueBackpressure, EndsWhereNothingWaits) {
    QueueBackpressure gate;
    gate.refuse(3, 1_us);
    gate.refuse(4, 1_us);
    gate.resume(0b0000'1000, 5_us);
    EXPECT_EQ(gate.refused(), 0b0001'0000);
    EXPECT_EQ(gate.history(3).total(1_s), 4_us);
    EXPECT_TRUE(gate.history(4).lasts(1_s));
}

}  // namespace
}  // namespace sluice
