#include "dataplane/pfc/queue_gate.h"

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

TEST(QueueGate, HoldsNothingAtFirst) {
    const QueueGate gate;
    EXPECT_EQ(gate.refused(), 0);
}

TEST(QueueGate, IsRefusedUntilAFrameOfItWasTaken) {
    QueueGate gate;
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

TEST(QueueGate, IsLetGoOfWhereNothingWaits) {
    QueueGate gate;
    gate.refuse(3, 1_us);
    gate.refuse(4, 1_us);
    gate.let_go(0b0000'1000, 5_us);
    EXPECT_EQ(gate.refused(), 0b0001'0000);
    EXPECT_EQ(gate.history(3).total(1_s), 4_us);
    EXPECT_TRUE(gate.history(4).lasts(1_s));
}

}  // namespace
}  // namespace sluice
