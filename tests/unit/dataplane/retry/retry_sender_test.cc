#include "dataplane/retry/retry_sender.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/support/retry_answers.h"

namespace sluice {
namespace {

using namespace literals;
using namespace test;
using State = RetrySender::State;

TEST(RetrySequence, GoesRound) {
    const auto last = number(RetrySequence::count - 1);
    EXPECT_EQ(last.after(1), number(0));
    EXPECT_EQ(number(0).before(), last);
    EXPECT_TRUE(last.is_before(number(0)));
    EXPECT_FALSE(number(0).is_before(last));
    EXPECT_FALSE(number(7).is_before(number(7)));
    EXPECT_EQ(number(2).since(last), 3U);
}

TEST(RetryOrder, GoesRound) {
    EXPECT_TRUE(RetryOrder::is_before(UINT32_MAX, 0));
    EXPECT_FALSE(RetryOrder::is_before(0, UINT32_MAX));
    EXPECT_FALSE(RetryOrder::is_before(7, 7));
}

class RetrySenderTest : public testing::Test {
  protected:
    static RetrySender open(RetrySenderSettings settings = {}) {
        RetrySender sender(settings);
        sender.begin(5);
        sender.answered(ack(5, number(0).before()), 0_us);
        return sender;
    }
    static std::vector<uint32_t> replayed(RetrySender& sender, Nanos now,
                                          ReplayQueue::Classes held = 0) {
        std::vector<uint32_t> numbers;
        while (const auto again = sender.to_replay(held)) {
            numbers.push_back(again->number());
            sender.replayed(*again, now);
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
    sender.answered(ack(4, number(0).before()), 101_us);  // of the session before
    EXPECT_EQ(sender.state(), State::init);
    sender.answered(ack(5, number(0).before()), 102_us);
    EXPECT_EQ(sender.state(), State::advance);
    EXPECT_EQ(sender.counts().inits, 2U);
    EXPECT_EQ(sender.counts().unexpected, 1U);
}

TEST_F(RetrySenderTest, KeepsWhatIsNotAcknowledged) {
    RetrySender sender = open({.most_frames = 3});
    for (uint32_t n = 0; n < 3; ++n) EXPECT_EQ(sender.send(0_us), number(n));
    EXPECT_FALSE(sender.may_send());
    EXPECT_EQ(sender.answered(ack(5, number(1)), 1_us), 2U);
    EXPECT_TRUE(sender.may_send());
    EXPECT_EQ(sender.oldest(), number(2));
    EXPECT_EQ(sender.kept(), 1U);
}

TEST_F(RetrySenderTest, GoesBackToWhatIsMissing) {
    RetrySender sender = open();
    for (int n = 0; n < 6; ++n) sender.send(0_us);
    EXPECT_EQ(sender.answered(go_back(5, number(1), 2), 1_us), 2U);
    EXPECT_EQ(sender.state(), State::replay);
    EXPECT_EQ(replayed(sender, 2_us), (std::vector<uint32_t>{2, 3, 4, 5}));
    EXPECT_EQ(sender.state(), State::advance);
    EXPECT_EQ(sender.send(3_us), number(6));
}

TEST_F(RetrySenderTest, SendsAgainWhatIsNamedAlone) {
    RetrySender sender = open();
    for (int n = 0; n < 9; ++n) sender.send(0_us);
    EXPECT_EQ(sender.answered(nack(5, number(1), {{2, 1}, {5, 2}}), 1_us), 2U);
    EXPECT_EQ(sender.state(), State::replay);
    EXPECT_TRUE(sender.may_send()) << "whoever sends decides what goes first";
    EXPECT_EQ(replayed(sender, 2_us), (std::vector<uint32_t>{2, 5, 6}));
    EXPECT_EQ(sender.counts().replays, 1U);
    EXPECT_EQ(sender.order(), 12U);
}

TEST_F(RetrySenderTest, NamedOnceMoreItIsSentNoMore) {
    RetrySender sender = open({.replay_count_max = 2});
    for (int n = 0; n < 4; ++n) sender.send(0_us);
    const RetryAnswer named = nack(5, number(0), {{1, 1}});
    sender.answered(named, 1_us);
    sender.answered(named, 1_us);
    EXPECT_EQ(replayed(sender, 2_us), std::vector<uint32_t>{1});
    sender.answered(named, 3_us);
    EXPECT_EQ(sender.state(), State::advance) << "it went again since";
    sender.answered(nack(5, number(0), {{4, 1}}), 4_us);
    EXPECT_EQ(replayed(sender, 5_us), std::vector<uint32_t>{1}) << "and was lost again";
}

TEST_F(RetrySenderTest, AnAckMayNameThemAsWell) {
    RetrySender sender = open();
    for (int n = 0; n < 4; ++n) sender.send(0_us);
    sender.answered({5, false, number(0), 0, {{2, 1}}}, 1_us);
    EXPECT_EQ(replayed(sender, 2_us), std::vector<uint32_t>{2});
}

TEST_F(RetrySenderTest, APausedClassHoldsNoOther) {
    RetrySender sender = open();
    for (const uint8_t traffic_class : std::to_array<uint8_t>({3, 4, 3, 4}))
        sender.send(0_us, traffic_class);
    sender.answered(nack(5, number(0).before(), {{0, 4}}), 1_us);
    EXPECT_EQ(sender.classes_to_replay(), 0x18);
    EXPECT_EQ(sender.class_of_oldest(), 0x08);
    EXPECT_EQ(replayed(sender, 2_us, 0x08), (std::vector<uint32_t>{1, 3}));
    EXPECT_EQ(sender.classes_to_replay(), 0x08);
    EXPECT_EQ(replayed(sender, 3_us), (std::vector<uint32_t>{0, 2}));
    EXPECT_EQ(sender.class_of_oldest(), 0);
}

TEST_F(RetrySenderTest, AnAckOvertakesAReplay) {
    RetrySender sender = open();
    for (int n = 0; n < 4; ++n) sender.send(0_us);
    sender.answered(go_back(5, number(0).before(), 0), 1_us);
    sender.replayed(*sender.to_replay(), 1_us);
    EXPECT_EQ(sender.answered(ack(5, number(2)), 2_us), 3U);
    EXPECT_EQ(replayed(sender, 2_us), (std::vector<uint32_t>{3}));
    sender.answered(nack(5, number(2), {{5, 1}}), 3_us);
    EXPECT_EQ(sender.answered(ack(5, number(3)), 4_us), 1U);
    EXPECT_EQ(sender.state(), State::advance) << "nothing is left to go again";
}

TEST_F(RetrySenderTest, GoesBackOnceForAllGapsOfWhatWentBefore) {
    RetrySender sender = open({.replay_count_max = 2});
    for (int n = 0; n < 4; ++n) sender.send(0_us);
    sender.answered(go_back(5, number(0), 1), 1_us);
    EXPECT_EQ(replayed(sender, 2_us).size(), 3U);
    sender.answered(go_back(5, number(0), 3), 3_us);
    EXPECT_EQ(sender.state(), State::advance) << "it came late";
    sender.answered(go_back(5, number(0), 4), 4_us);
    EXPECT_EQ(replayed(sender, 5_us).size(), 3U) << "what went again was lost as well";
    EXPECT_EQ(sender.counts().replays, 2U);
    sender.answered(go_back(5, number(0), 7), 6_us);
    EXPECT_EQ(sender.state(), State::flush);
}

TEST_F(RetrySenderTest, AnswersAboutNothingChangeNothing) {
    RetrySender sender = open();
    for (int n = 0; n < 4; ++n) sender.send(0_us);
    sender.answered(ack(5, number(1)), 1_us);
    for (const RetryAnswer& made_up :
         {ack(5, number(4)), go_back(5, number(99), 2), go_back(5, number(0), 2), ack(6, number(3)),
          go_back(5, number(1), 4), nack(5, number(1), {{3, 2}})}) {
        EXPECT_EQ(sender.answered(made_up, 2_us), 0U);
    }
    EXPECT_EQ(sender.counts().unexpected, 6U);
    EXPECT_EQ(sender.kept(), 2U);
    EXPECT_EQ(sender.state(), State::advance);
}

// Its transmissions have numbers again that went long ago.
TEST_F(RetrySenderTest, ALongRunOfOldTransmissionsNamesNothing) {
    RetrySender sender = open({.most_frames = 8, .replay_count_max = 100});
    for (uint32_t n = 0; n < 100; ++n) {
        sender.send(0_us);
        sender.answered(ack(5, number(n)), 0_us);
    }
    for (int n = 0; n < 3; ++n) sender.send(0_us);
    sender.answered(nack(5, number(99), {{0, 100}}), 1_us);
    EXPECT_EQ(sender.state(), State::advance);
    sender.answered(nack(5, number(99), {{0, 101}}), 1_us);
    EXPECT_EQ(replayed(sender, 2_us), std::vector<uint32_t>{100});
}

TEST_F(RetrySenderTest, ATimerSendsTheOldestAgainAndInTheEndGivesUp) {
    RetrySender sender = open({.replay_timer = 100_us, .replay_count_max = 2});
    sender.send(10_us);
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
    EXPECT_EQ(sender.to_replay(), std::nullopt);
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

TEST_F(RetrySenderTest, ATimeInWhichTheOldestCouldNotGoCountsAsWell) {
    RetrySender sender = open({.replay_timer = 100_us, .replay_count_max = 3});
    for (int n = 0; n < 2; ++n) sender.send(0_us);
    sender.look(100_us);
    sender.look(199_us);
    EXPECT_EQ(sender.counts().timeouts, 1U);
    sender.look(200_us);
    sender.look(300_us);
    EXPECT_EQ(sender.state(), State::replay);
    EXPECT_EQ(sender.to_replay(), number(0));
    sender.look(400_us);
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

}  // namespace
}  // namespace sluice
