#include "dataplane/retry/retry_receiver.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/retry_answers.h"

namespace sluice {
namespace {

using namespace literals;
using namespace test;
using Verdict = RetryReceiver::Verdict;

class RetryReceiverTest : public testing::Test {
  protected:
    static RetryReceiver begun(RetryReceiverSettings settings = {}) {
        RetryReceiver receiver(settings);
        receiver.begin(5);
        receiver.answer(0_us);
        return receiver;
    }
    // The frame by that number, in that transmission.
    static Verdict arrived(RetryReceiver& receiver, uint32_t frame, uint32_t order,
                           Nanos now = 0_us) {
        return receiver.arrived(
            5, {.number = number(frame), .order = order, .octets = 64_B, .may_keep = true}, now);
    }
};

TEST_F(RetryReceiverTest, TakesEachOnceAndInOrder) {
    RetryReceiver receiver({});
    EXPECT_EQ(arrived(receiver, 0, 0), Verdict::other) << "nothing has begun";
    receiver.begin(5);
    EXPECT_EQ(receiver.answer(0_us), ack(5, number(0).before()));
    EXPECT_EQ(arrived(receiver, 0, 0), Verdict::take);
    EXPECT_EQ(arrived(receiver, 0, 0), Verdict::duplicate);
    EXPECT_EQ(arrived(receiver, 2, 2), Verdict::missing);
    EXPECT_EQ(receiver.arrived(4, {.number = number(1), .order = 1}, 0_us), Verdict::other);
    EXPECT_EQ(arrived(receiver, 1, 3), Verdict::take);
    EXPECT_EQ(arrived(receiver, 2, 4), Verdict::take);
}

TEST_F(RetryReceiverTest, KeepsWhatComesBehindAGap) {
    RetryReceiver receiver = begun({.window = 4});
    EXPECT_EQ(arrived(receiver, 1, 1), Verdict::keep);
    EXPECT_EQ(arrived(receiver, 1, 2), Verdict::duplicate);
    EXPECT_EQ(arrived(receiver, 3, 3), Verdict::keep);
    EXPECT_EQ(arrived(receiver, 4, 4), Verdict::missing) << "too far ahead";
    EXPECT_FALSE(receiver.has_next_kept());
    EXPECT_EQ(arrived(receiver, 0, 5), Verdict::take);
    EXPECT_TRUE(receiver.next_kept(64_B, 0_us));
    EXPECT_FALSE(receiver.next_kept(64_B, 0_us)) << "2 is missing";
    EXPECT_EQ(arrived(receiver, 2, 6), Verdict::take);
    EXPECT_TRUE(receiver.next_kept(64_B, 0_us));
    EXPECT_EQ(receiver.expected(), number(4));
    EXPECT_EQ(receiver.kept(), 0U);
    EXPECT_EQ(receiver.counts().taken, 4U);
}

TEST_F(RetryReceiverTest, NamesWhatWasLostAndWhatItCouldNotKeep) {
    RetryReceiver receiver = begun({.window = 4});
    arrived(receiver, 2, 2);
    EXPECT_EQ(receiver.answer(1_us), nack(5, number(0).before(), {{0, 2}}));
    EXPECT_EQ(receiver.state(), RetryReceiver::State::nack_sent);
    receiver.arrived(5, {.number = number(3), .order = 3, .octets = 64_B}, 2_us);
    arrived(receiver, 9, 4, 2_us);
    EXPECT_EQ(receiver.answer(2_us), nack(5, number(0).before(), {{0, 2}, {3, 2}}))
        << "no room, and too far ahead";
    EXPECT_EQ(receiver.answer(1000_us), std::nullopt);
}

// Because a NACK may be lost.
TEST_F(RetryReceiverTest, NamesEachGapInThreeAnswers) {
    RetryReceiver receiver = begun({.ack_octets = 0_B, .window = 4});
    arrived(receiver, 0, 1);
    EXPECT_EQ(receiver.answer(1_us), nack(5, number(0), {{0, 1}}));
    arrived(receiver, 1, 2);
    EXPECT_EQ(receiver.answer(1_us), (RetryAnswer{5, false, number(1), 0, {{0, 1}}}));
    arrived(receiver, 2, 3);
    EXPECT_EQ(receiver.answer(1_us), (RetryAnswer{5, false, number(2), 0, {{0, 1}}}));
    arrived(receiver, 3, 4);
    EXPECT_EQ(receiver.answer(1_us), ack(5, number(3)));
}

TEST_F(RetryReceiverTest, MoreGapsThanAnAnswerHasAreNamedTogether) {
    RetryReceiver receiver = begun({.window = 256});
    for (uint32_t n = 0; n < 2 * RetryRuns::most; ++n) arrived(receiver, 2 * n + 1, 2 * n + 1);
    const auto answer = receiver.answer(1_us);
    ASSERT_TRUE(answer);
    std::vector<bool> named(4 * RetryRuns::most);
    for (const RetryRun& run : answer->runs.all()) {
        for (uint32_t order = run.first; order != run.end(); ++order) named[order] = true;
    }
    for (uint32_t n = 0; n < 2 * RetryRuns::most; ++n) EXPECT_TRUE(named[2 * n]) << n;
}

// Otherwise the link would carry the frame again and again until there is room.
TEST_F(RetryReceiverTest, WhatFindsNoRoomIsAskedForLater) {
    RetryReceiver receiver = begun({.ack_delay = 1000_us, .room_delay = 100_us, .window = 4});
    const auto without_room = [&](uint32_t order, Nanos now) {
        return receiver.arrived(
            5, {.number = number(0), .order = order, .octets = 64_B, .may_take = false}, now);
    };
    EXPECT_EQ(without_room(0, 200_us), Verdict::missing);
    EXPECT_EQ(receiver.answer(200_us), nack(5, number(0).before(), {{0, 1}}))
        << "the first at once";
    without_room(1, 210_us);
    EXPECT_EQ(receiver.answer(299_us), std::nullopt);
    EXPECT_TRUE(receiver.owes());
    EXPECT_EQ(receiver.answer(300_us)->runs.all().back(), (RetryRun{1, 1}));
}

TEST_F(RetryReceiverTest, ADamagedFrameIsTheNextTransmission) {
    RetryReceiver receiver = begun({.window = 4});
    receiver.damaged();
    EXPECT_EQ(receiver.answer(1_us), nack(5, number(0).before(), {{0, 1}}));
    arrived(receiver, 1, 1);
    EXPECT_EQ(receiver.answer(1_us), std::nullopt) << "that is no other gap";
}

TEST_F(RetryReceiverTest, WithoutAWindowOneNackAndSilenceUntilTheMissingOneComes) {
    RetryReceiver receiver = begun({.ack_octets = 1000_B, .ack_delay = 10_us});
    arrived(receiver, 1, 1, 1_us);
    EXPECT_EQ(receiver.answer(1_us), go_back(5, number(0).before(), 0));
    arrived(receiver, 2, 2, 2_us);
    EXPECT_EQ(receiver.answer(9_us), std::nullopt);
    arrived(receiver, 0, 3, 10_us);
    receiver.damaged();
    EXPECT_EQ(receiver.answer(10_us), go_back(5, number(0), 4));
    EXPECT_EQ(receiver.counts().nacks, 2U);
}

TEST_F(RetryReceiverTest, WithoutAWindowItAsksAgainWhereTheMissingOneIsLostOnceMore) {
    RetryReceiver receiver = begun();
    arrived(receiver, 1, 1, 1_us);
    EXPECT_EQ(receiver.answer(1_us), go_back(5, number(0).before(), 0));
    arrived(receiver, 2, 2, 2_us);
    EXPECT_EQ(receiver.answer(2_us), std::nullopt);
    arrived(receiver, 1, 4, 3_us);
    EXPECT_EQ(receiver.answer(3_us), go_back(5, number(0).before(), 3));
    arrived(receiver, 2, 5, 4_us);
    EXPECT_EQ(receiver.answer(4_us), std::nullopt);
}

// The wire swapped two, so nothing is lost, but the second was dropped.
TEST_F(RetryReceiverTest, WithoutAWindowWhatWasDroppedIsAskedFor) {
    RetryReceiver receiver = begun();
    arrived(receiver, 1, 1, 1_us);
    arrived(receiver, 0, 0, 1_us);
    arrived(receiver, 2, 2, 1_us);
    EXPECT_EQ(receiver.answer(1_us), go_back(5, number(0), 2));
}

TEST_F(RetryReceiverTest, WithoutAWindowItAsksOnceMoreWhereItsNackMayBeLost) {
    RetryReceiver receiver = begun({.nack_delay = 100_us});
    arrived(receiver, 1, 1, 1_us);
    EXPECT_TRUE(receiver.answer(1_us)->again);
    arrived(receiver, 2, 2, 100_us);
    EXPECT_EQ(receiver.answer(1000_us), std::nullopt) << "nothing came behind it since";
    arrived(receiver, 3, 3, 1000_us);
    EXPECT_TRUE(receiver.answer(1000_us)->again);
}

TEST_F(RetryReceiverTest, DoesNotReviveASessionThatIsOver) {
    RetryReceiver receiver({});
    EXPECT_TRUE(receiver.begin(5));
    arrived(receiver, 0, 0);
    EXPECT_TRUE(receiver.begin(6));
    receiver.arrived(6, {.number = number(0)}, 0_us);
    EXPECT_FALSE(receiver.begin(5)) << "its question came late";
    EXPECT_EQ(arrived(receiver, 0, 0), Verdict::other) << "or it came twice";
    EXPECT_EQ(receiver.arrived(6, {.number = number(1), .order = 1}, 0_us), Verdict::take);
    receiver.end();
    EXPECT_FALSE(receiver.begin(6));
    EXPECT_TRUE(receiver.begin(7));
}

// A session whose question was overtaken by that of the next session, so it never opened.
TEST_F(RetryReceiverTest, DoesNotBeginASessionBeforeTheNewest) {
    RetryReceiver receiver({});
    receiver.begin(1000);
    receiver.begin(1002);
    receiver.arrived(1002, {.number = number(0)}, 0_us);
    EXPECT_FALSE(receiver.begin(1001));
    EXPECT_EQ(receiver.arrived(1002, {.number = number(1), .order = 1}, 0_us), Verdict::take);
    receiver.end();
    EXPECT_FALSE(receiver.begin(1001)) << "nor once that is over";
    EXPECT_TRUE(receiver.begin(1003));
    EXPECT_TRUE(receiver.begin(1003 - 17)) << "its sender began anew, by chance there";
}

TEST_F(RetryReceiverTest, OfASessionThatIsOverNothingIsLeft) {
    RetryReceiver receiver = begun({.window = 4});
    arrived(receiver, 2, 2);
    receiver.begin(6);
    EXPECT_EQ(receiver.kept(), 0U);
    receiver.answer(0_us);
    receiver.arrived(6, {.number = number(0), .octets = 64_B}, 1000_us);
    EXPECT_EQ(receiver.answer(2000_us), ack(6, number(0)));
    EXPECT_FALSE(receiver.has_next_kept());
}

// Its NACK was lost, and the sender repeats frames that have arrived already.
TEST_F(RetryReceiverTest, ADuplicateIsAcknowledgedAlthoughOneIsMissing) {
    RetryReceiver receiver = begun();
    arrived(receiver, 0, 0);
    arrived(receiver, 2, 2);
    EXPECT_TRUE(receiver.answer(0_us)->again);
    arrived(receiver, 0, 3, 1_us);
    EXPECT_EQ(receiver.answer(1_us), ack(5, number(0)));
    EXPECT_EQ(receiver.state(), RetryReceiver::State::nack_sent);
}

TEST_F(RetryReceiverTest, AcknowledgesByOctetsAndByTime) {
    RetryReceiver receiver = begun({.ack_octets = 100_B, .ack_delay = 10_us});
    arrived(receiver, 0, 0, 1_us);
    EXPECT_EQ(receiver.answer(10_us), std::nullopt);
    EXPECT_EQ(receiver.answer(11_us), ack(5, number(0)));
    EXPECT_EQ(receiver.answer(30_us), std::nullopt) << "it was said";
    arrived(receiver, 1, 1, 31_us);
    arrived(receiver, 2, 2, 31_us);
    EXPECT_EQ(receiver.answer(31_us), ack(5, number(2)));
}

TEST_F(RetryReceiverTest, OwesNothingOnceItEnds) {
    RetryReceiver receiver({.ack_octets = 1000_B});
    receiver.begin(5);
    arrived(receiver, 0, 0);
    EXPECT_TRUE(receiver.owes());
    receiver.end();
    EXPECT_FALSE(receiver.owes()) << "or its worker never sleeps again";
    receiver.begin(6);
    receiver.answer(0_us);
    EXPECT_EQ(receiver.answer(1000_us), std::nullopt);
}

// Its first answer was lost, so the sender asks again; a question that was doubled comes late.
TEST_F(RetryReceiverTest, AskedOnceMoreItGoesOn) {
    RetryReceiver receiver({});
    receiver.begin(5);
    arrived(receiver, 0, 0);
    receiver.begin(5);
    EXPECT_EQ(receiver.answer(0_us), ack(5, number(0)));
    EXPECT_EQ(receiver.expected(), number(1));
}

}  // namespace
}  // namespace sluice
