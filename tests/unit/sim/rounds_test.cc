// Which rounds of an incast finish, frame by frame.
#include "tools/sim/scenario/rounds.h"

#include <gtest/gtest.h>

namespace sluice::sim {
namespace {

// Two senders, a frame each in every round.
struct Two {
    Incast incast{Picos(0), Picos(1000), 1, 2};

    void arrives(uint64_t round, std::size_t from) {
        Packet packet;
        packet.serial = round;
        incast.arrived(packet, from, 0, Picos(1'000'000'000));
    }
};

TEST(IncastTest, ARoundIsFinishedWhenAllItsFramesAreHere) {
    Two two;
    two.arrives(0, 1);
    two.arrives(1, 1);
    EXPECT_EQ(two.incast.finished(), 0U);
    two.arrives(0, 2);
    EXPECT_EQ(two.incast.finished(), 1U);
    two.arrives(1, 2);
    EXPECT_EQ(two.incast.finished(), 2U);
}

TEST(IncastTest, GivesTheOldestUpWhereTooManyAreOpen) {
    Two two;
    for (uint64_t round = 0; round <= Incast::open; ++round) two.arrives(round, 1);
    two.arrives(0, 2);
    EXPECT_EQ(two.incast.finished(), 0U) << "given up";
    two.arrives(1, 2);
    EXPECT_EQ(two.incast.finished(), 1U) << "the oldest that is waited for";
}

}  // namespace
}  // namespace sluice::sim
