#include <gtest/gtest.h>

#include <vector>

#include "dataplane/retry/retry_receiver.h"
#include "dataplane/retry/retry_sender.h"

namespace sluice {
namespace {

using namespace literals;
using State = RetrySender::State;
using Verdict = RetryReceiver::Verdict;

RetrySequence number(uint32_t number) { return RetrySequence(number); }

TEST(RetrySequence, GoesRound) {
    const auto last = number(RetrySequence::count - 1);
    EXPECT_EQ(last.after(1), number(0));
    EXPECT_EQ(number(0).before(), last);
    EXPECT_TRUE(last.is_before(number(0)));
    EXPECT_FALSE(number(0).is_before(last));
    EXPECT_FALSE(number(7).is_before(number(7)));
    EXPECT_EQ(number(2).since(last), 3U);
}

class RetrySenderTest : public testing::Test {
  protected:
    RetrySender open(RetrySenderSettings settings = {}) {
        RetrySender sender(settings);
        sender.begin(5);
        sender.answered({5, false, number(0).before()}, 0_us);
        return sender;
    }
    static std::vector<uint32_t> replayed(RetrySender& sender, Nanos now) {
        std::vector<uint32_t> numbers;
        while (const auto again = sender.to_replay()) {
            numbers.push_back(again->number());
            sender.replayed(now);
        }
        return numbers;
    }
};

TEST_F(RetrySenderTest, BeginsOnceTheReceiverSaysSo) {
    RetrySender sender({.replay_timer = 100_us});
    EXPECT_EQ(sender.state(), State::off);
    EXPECT_FALSE(sender.ask_to_begin(0_us));
    sender.begin(5);
    EXPECT_TRUE(sender.ask_to_begin(0_us));
    EXPECT_FALSE(sender.ask_to_begin(99_us));
    EXPECT_TRUE(sender.ask_to_begin(100_us));
    EXPECT_FALSE(sender.may_send());
    sender.answered({4, false, number(0).before()}, 101_us);  // of the session before
    EXPECT_EQ(sender.state(), State::init);
    sender.answered({5, false, number(0).before()}, 102_us);
    EXPECT_EQ(sender.state(), State::advance);
    EXPECT_EQ(sender.counts().inits, 2U);
    EXPECT_EQ(sender.counts().unexpected, 1U);
}

TEST_F(RetrySenderTest, KeepsWhatIsNotAcknowledged) {
    RetrySender sender = open({.most_frames = 3});
    for (uint32_t n = 0; n < 3; ++n) EXPECT_EQ(sender.send(0_us), number(n));
    EXPECT_FALSE(sender.may_send());
    EXPECT_EQ(sender.answered({5, false, number(1)}, 1_us), 2U);
    EXPECT_TRUE(sender.may_send());
    EXPECT_EQ(sender.oldest(), number(2));
    EXPECT_EQ(sender.kept(), 1U);
}

TEST_F(RetrySenderTest, GoesBackToWhatIsMissing) {
    RetrySender sender = open();
    for (int n = 0; n < 6; ++n) sender.send(0_us);
    EXPECT_EQ(sender.answered({5, true, number(1)}, 1_us), 2U);
    EXPECT_EQ(sender.state(), State::replay);
    EXPECT_FALSE(sender.may_send());
    EXPECT_EQ(replayed(sender, 2_us), (std::vector<uint32_t>{2, 3, 4, 5}));
    EXPECT_EQ(sender.state(), State::advance);
    EXPECT_EQ(sender.send(3_us), number(6));
}

TEST_F(RetrySenderTest, AnAckOvertakesAReplay) {
    RetrySender sender = open();
    for (int n = 0; n < 4; ++n) sender.send(0_us);
    sender.answered({5, true, number(0).before()}, 1_us);
    sender.replayed(1_us);
    EXPECT_EQ(sender.answered({5, false, number(2)}, 2_us), 3U);
    EXPECT_EQ(replayed(sender, 2_us), (std::vector<uint32_t>{3}));
    sender.answered({5, true, number(2), 1}, 3_us);
    EXPECT_EQ(sender.answered({5, false, number(3)}, 4_us), 1U);
    EXPECT_EQ(sender.state(), State::advance) << "nothing is left to go again";
}

TEST_F(RetrySenderTest, HeedsANackOnceInEachRound) {
    RetrySender sender = open({.replay_count_max = 2});
    for (int n = 0; n < 4; ++n) sender.send(0_us);
    sender.answered({5, true, number(0), 0}, 1_us);
    EXPECT_EQ(sender.round(), 1U);
    EXPECT_EQ(replayed(sender, 2_us).size(), 3U);
    sender.answered({5, true, number(0), 0}, 3_us);
    EXPECT_EQ(sender.state(), State::advance) << "it came late";
    sender.answered({5, true, number(0), 1}, 4_us);
    EXPECT_EQ(replayed(sender, 5_us).size(), 3U) << "what went again was lost as well";
    EXPECT_EQ(sender.counts().replays, 2U);
    sender.answered({5, true, number(0), 2}, 6_us);
    EXPECT_EQ(sender.state(), State::flush);
}

TEST_F(RetrySenderTest, AnswersAboutNothingChangeNothing) {
    RetrySender sender = open();
    for (int n = 0; n < 4; ++n) sender.send(0_us);
    sender.answered({5, false, number(1)}, 1_us);
    for (const RetryAnswer& made_up :
         {RetryAnswer{5, false, number(4)}, RetryAnswer{5, true, number(99)},
          RetryAnswer{5, true, number(0)}, RetryAnswer{6, false, number(3)}}) {
        EXPECT_EQ(sender.answered(made_up, 2_us), 0U);
    }
    EXPECT_EQ(sender.counts().unexpected, 4U);
    EXPECT_EQ(sender.kept(), 2U);
    EXPECT_EQ(sender.state(), State::advance);
}

TEST_F(RetrySenderTest, ATimerReplaysAndInTheEndGivesUp) {
    RetrySender sender = open({.replay_timer = 100_us, .replay_count_max = 2});
    sender.send(10_us);
    sender.look(109_us);
    EXPECT_EQ(sender.state(), State::advance);
    for (int time = 0; time < 2; ++time) {
        const Nanos due = 110_us + 100_us * time;
        sender.look(due);
        EXPECT_EQ(replayed(sender, due), std::vector<uint32_t>{0});
    }
    sender.look(310_us);
    EXPECT_EQ(sender.state(), State::flush);
    EXPECT_FALSE(sender.may_send());
    EXPECT_EQ(sender.counts().timeouts, 3U);
    EXPECT_EQ(sender.counts().flushes, 1U);
    sender.begin(6);
    EXPECT_EQ(sender.kept(), 0U);
}

TEST_F(RetrySenderTest, ATimerThatEndsInVainDoubles) {
    RetrySender sender = open({.replay_timer = 100_us, .replay_count_max = 9, .doublings = 2});
    sender.send(0_us);
    std::vector<int64_t> ended;
    for (int64_t us = 0; us < 1600; us += 100) {
        sender.look(Nanos(us * 1000));
        if (!replayed(sender, Nanos(us * 1000)).empty()) ended.push_back(us);
    }
    EXPECT_EQ(ended, (std::vector<int64_t>{100, 300, 700, 1100, 1500}));
}

TEST_F(RetrySenderTest, AReplayInWhichNothingCouldGoCountsAndGoesOn) {
    RetrySender sender = open({.replay_timer = 100_us, .replay_count_max = 3});
    for (int n = 0; n < 2; ++n) sender.send(0_us);
    sender.look(100_us);
    sender.replayed(150_us);
    sender.look(249_us);
    EXPECT_EQ(sender.counts().replays, 1U);
    sender.look(250_us);
    EXPECT_EQ(sender.counts().replays, 2U);
    EXPECT_EQ(sender.to_replay(), number(1)) << "where it was";
    sender.look(350_us);
    EXPECT_EQ(sender.state(), State::replay);
    sender.look(450_us);
    EXPECT_EQ(sender.state(), State::flush);
    EXPECT_EQ(sender.counts().timeouts, 4U);
}

TEST_F(RetrySenderTest, WhatIsTooOldIsGivenUp) {
    RetrySender sender = open({.replay_timer = 100_us, .data_age = 250_us, .replay_count_max = 9});
    sender.send(0_us);
    sender.look(249_us);
    EXPECT_EQ(sender.state(), State::replay);
    sender.look(250_us);
    EXPECT_EQ(sender.state(), State::flush);
}

TEST(RetryReceiverTest, TakesEachOnceAndInOrder) {
    RetryReceiver receiver({});
    EXPECT_EQ(receiver.arrived(5, number(0), 0, 64_B, 0_us), Verdict::other) << "nothing has begun";
    receiver.begin(5);
    EXPECT_EQ(receiver.answer(0_us), (RetryAnswer{5, false, number(0).before()}));
    EXPECT_EQ(receiver.arrived(5, number(0), 0, 64_B, 0_us), Verdict::take);
    EXPECT_EQ(receiver.arrived(5, number(0), 0, 64_B, 0_us), Verdict::duplicate);
    EXPECT_EQ(receiver.arrived(5, number(2), 0, 64_B, 0_us), Verdict::missing);
    EXPECT_EQ(receiver.arrived(4, number(1), 0, 64_B, 0_us), Verdict::other);
    EXPECT_EQ(receiver.arrived(5, number(1), 0, 64_B, 0_us), Verdict::take);
    EXPECT_EQ(receiver.arrived(5, number(2), 0, 64_B, 0_us), Verdict::take);
}

TEST(RetryReceiverTest, OneNackAndSilenceUntilTheMissingOneComes) {
    RetryReceiver receiver({.ack_octets = 1000_B, .ack_delay = 10_us});
    receiver.begin(5);
    receiver.answer(0_us);
    receiver.arrived(5, number(1), 0, 64_B, 1_us);
    EXPECT_EQ(receiver.answer(1_us), (RetryAnswer{5, true, number(0).before()}));
    receiver.arrived(5, number(2), 0, 64_B, 2_us);
    receiver.damaged();
    EXPECT_EQ(receiver.answer(9_us), std::nullopt);
    receiver.arrived(5, number(0), 0, 64_B, 10_us);
    receiver.damaged();
    EXPECT_EQ(receiver.answer(10_us), (RetryAnswer{5, true, number(0)}));
    EXPECT_EQ(receiver.counts().nacks, 2U);
}

TEST(RetryReceiverTest, AsksAgainWhereTheMissingOneIsLostOnceMore) {
    RetryReceiver receiver({});
    receiver.begin(5);
    receiver.answer(0_us);
    receiver.arrived(5, number(1), 0, 64_B, 1_us);
    EXPECT_EQ(receiver.answer(1_us), (RetryAnswer{5, true, number(0).before(), 0}));
    receiver.arrived(5, number(2), 0, 64_B, 2_us);
    EXPECT_EQ(receiver.answer(2_us), std::nullopt);
    receiver.arrived(5, number(1), 1, 64_B, 3_us);
    EXPECT_EQ(receiver.answer(3_us), (RetryAnswer{5, true, number(0).before(), 1}));
    receiver.arrived(5, number(2), 1, 64_B, 4_us);
    EXPECT_EQ(receiver.answer(4_us), std::nullopt);
    receiver.arrived(5, number(0), 2, 64_B, 5_us);
    receiver.arrived(5, number(9), 1, 64_B, 5_us);
    EXPECT_FALSE(receiver.answer(1000_us)->again) << "a frame of an earlier round came late";
}

TEST(RetryReceiverTest, AsksOnceMoreWhereItsNackMayBeLost) {
    RetryReceiver receiver({.nack_delay = 100_us});
    receiver.begin(5);
    receiver.answer(0_us);
    receiver.arrived(5, number(1), 0, 64_B, 1_us);
    EXPECT_TRUE(receiver.answer(1_us)->again);
    receiver.arrived(5, number(2), 0, 64_B, 100_us);
    EXPECT_EQ(receiver.answer(1000_us), std::nullopt) << "nothing came behind it since";
    receiver.arrived(5, number(3), 0, 64_B, 1000_us);
    EXPECT_TRUE(receiver.answer(1000_us)->again);
}

TEST(RetryReceiverTest, DoesNotReviveASessionThatIsOver) {
    RetryReceiver receiver({});
    EXPECT_TRUE(receiver.begin(5));
    receiver.arrived(5, number(0), 0, 64_B, 0_us);
    EXPECT_TRUE(receiver.begin(6));
    receiver.arrived(6, number(0), 0, 64_B, 0_us);
    EXPECT_FALSE(receiver.begin(5)) << "its question came late";
    EXPECT_EQ(receiver.arrived(5, number(0), 0, 64_B, 0_us), Verdict::other) << "or it came twice";
    EXPECT_EQ(receiver.arrived(6, number(1), 0, 64_B, 0_us), Verdict::take);
    receiver.end();
    EXPECT_FALSE(receiver.begin(6));
    EXPECT_TRUE(receiver.begin(7));
}

// Its question was overtaken by that of the next, so it never opened.
TEST(RetryReceiverTest, DoesNotBeginASessionBeforeTheNewest) {
    RetryReceiver receiver({});
    receiver.begin(1000);
    receiver.begin(1002);
    receiver.arrived(1002, number(0), 0, 64_B, 0_us);
    EXPECT_FALSE(receiver.begin(1001));
    EXPECT_EQ(receiver.arrived(1002, number(1), 0, 64_B, 0_us), Verdict::take);
    receiver.end();
    EXPECT_FALSE(receiver.begin(1001)) << "nor once that is over";
    EXPECT_TRUE(receiver.begin(1003));
    EXPECT_TRUE(receiver.begin(1003 - 17)) << "its sender began anew, by chance there";
}

// Its NACK was lost, and the sender begins with what is here already.
TEST(RetryReceiverTest, ADuplicateIsAcknowledgedAlthoughOneIsMissing) {
    RetryReceiver receiver({});
    receiver.begin(5);
    receiver.arrived(5, number(0), 0, 64_B, 0_us);
    receiver.arrived(5, number(2), 0, 64_B, 0_us);
    EXPECT_TRUE(receiver.answer(0_us)->again);
    receiver.arrived(5, number(0), 0, 64_B, 1_us);
    EXPECT_EQ(receiver.answer(1_us), (RetryAnswer{5, false, number(0)}));
    EXPECT_EQ(receiver.state(), RetryReceiver::State::nack_sent);
}

TEST(RetryReceiverTest, AcknowledgesByOctetsAndByTime) {
    RetryReceiver receiver({.ack_octets = 100_B, .ack_delay = 10_us});
    receiver.begin(5);
    receiver.answer(0_us);
    receiver.arrived(5, number(0), 0, 60_B, 1_us);
    EXPECT_EQ(receiver.answer(10_us), std::nullopt);
    EXPECT_EQ(receiver.answer(11_us), (RetryAnswer{5, false, number(0)}));
    EXPECT_EQ(receiver.answer(30_us), std::nullopt) << "it was said";
    receiver.arrived(5, number(1), 0, 60_B, 31_us);
    receiver.arrived(5, number(2), 0, 60_B, 31_us);
    EXPECT_EQ(receiver.answer(31_us), (RetryAnswer{5, false, number(2)}));
}

TEST(RetryReceiverTest, OwesNothingOnceItEnds) {
    RetryReceiver receiver({.ack_octets = 1000_B});
    receiver.begin(5);
    receiver.arrived(5, number(0), 0, 64_B, 0_us);
    EXPECT_TRUE(receiver.owes());
    receiver.end();
    EXPECT_FALSE(receiver.owes()) << "or its worker never sleeps again";
    receiver.begin(6);
    receiver.answer(0_us);
    EXPECT_EQ(receiver.answer(1000_us), std::nullopt);
}

// Its first answer was lost, so the sender asks again; a question that was doubled comes late.
TEST(RetryReceiverTest, AskedOnceMoreItGoesOn) {
    RetryReceiver receiver({});
    receiver.begin(5);
    receiver.arrived(5, number(0), 0, 64_B, 0_us);
    receiver.begin(5);
    EXPECT_EQ(receiver.answer(0_us), (RetryAnswer{5, false, number(0)}));
    EXPECT_EQ(receiver.expected(), number(1));
}

}  // namespace
}  // namespace sluice
