#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "dataplane/retry/retry_receiver.h"
#include "dataplane/retry/retry_sender.h"

namespace sluice {
namespace {

using namespace literals;
using State = RetrySender::State;
using Verdict = RetryReceiver::Verdict;

RetrySequence number(uint32_t number) { return RetrySequence(number); }
RetryAnswer ack(uint32_t session, RetrySequence sequence) {
    return {session, false, sequence, 0, {}};
}
// All from transmission `order` on is to go again.
RetryAnswer go_back(uint32_t session, RetrySequence sequence, uint32_t order) {
    return {session, true, sequence, order, {}};
}
// A NACK of these runs alone.
RetryAnswer nack(uint32_t session, RetrySequence sequence, RetryRuns runs) {
    return {session, true, sequence, 0, runs};
}

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
