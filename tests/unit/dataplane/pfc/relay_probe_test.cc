#include "dataplane/pfc/relay_probe.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

// Returns the words that an end sends now, if any.
std::optional<RelayProbe::Words> said(RelayProbe& end, Nanos now) {
    if (!end.is_due(now)) return {};
    const RelayProbe::Words words = end.words(now);
    end.sent(now);
    return words;
}

// Two ends whose clocks have nothing to do with each other.
struct Ends {
    static constexpr Nanos ahead = 987'654'321'012_ns;

    RelayProbe near;
    RelayProbe far;

    // The far end receives the question after `there`, and answers after `held`.
    void ask(Nanos now, Nanos there, Nanos held, Nanos back) {
        const auto question = said(near, now);
        ASSERT_TRUE(question);
        const Nanos heard = now + there;
        said(far, heard + ahead);  // a question of its own
        far.receive(*question, heard + ahead);
        const auto answer = said(far, heard + held + ahead);
        ASSERT_TRUE(answer);
        near.receive(*answer, heard + held + back);
    }
};

TEST(RelayProbe, MeasuresBothWaysWithoutWhatTheOtherEndHeldIt) {
    Ends ends;
    ends.ask(5_s, 10_ms, 3_ms, 12_ms);
    const auto trips = ends.near.round_trips(6_s);
    ASSERT_TRUE(trips);
    EXPECT_EQ(trips->shortest, 22_ms);
    EXPECT_EQ(trips->longest, 22_ms);
    EXPECT_EQ(ends.near.asked(), 1U);
    EXPECT_EQ(ends.near.answered(), 1U);
}

TEST(RelayProbe, AsksOnceASecondAndEachThreeWithoutAnAnswer) {
    Ends ends;
    ends.ask(5_s, 1_ms, 0_ms, 1_ms);
    EXPECT_FALSE(ends.near.is_due(6_s - 1_ns));
    EXPECT_TRUE(said(ends.near, 6_s));
    EXPECT_FALSE(ends.near.is_due(9_s - 1_ns));
    EXPECT_TRUE(ends.near.is_due(9_s));
}

TEST(RelayProbe, KeepsTheLastEight) {
    Ends ends;
    ends.ask(1_s, 900_ms, 0_ms, 0_ms);
    for (int n = 2; n <= 9; ++n) {
        const auto shown = ends.near.round_trips(1_s * n);
        EXPECT_EQ(shown->longest, 900_ms) << n;
        ends.ask(1_s * n, 1_ms * n, 0_ms, 0_ms);
    }
    const auto trips = ends.near.round_trips(10_s);
    EXPECT_EQ(trips->shortest, 2_ms);
    EXPECT_EQ(trips->longest, 9_ms);
}

TEST(RelayProbe, KnowsNothingAnyMoreWhenNobodyAnswers) {
    Ends ends;
    EXPECT_FALSE(ends.near.round_trips(0_s));
    ends.ask(5_s, 1_ms, 0_ms, 1_ms);
    EXPECT_TRUE(ends.near.round_trips(11_s));
    EXPECT_FALSE(ends.near.round_trips(12_s));
}

TEST(RelayProbe, OfAnotherLinkItBeginsAnew) {
    Ends ends;
    ends.ask(5_s, 1_ms, 0_ms, 1_ms);
    ends.near.begin_anew();
    EXPECT_FALSE(ends.near.round_trips(5_s + 3_ms));
    ends.ask(6_s, 4_ms, 0_ms, 4_ms);
    EXPECT_EQ(ends.near.round_trips(7_s)->shortest, 8_ms);
    EXPECT_EQ(ends.near.answered(), 2U);
}

TEST(RelayProbe, WithoutALinkItSaysNothingAndAsksAtOnceWhenItIsUpAgain) {
    Ends ends;
    ends.ask(5_s, 1_ms, 0_ms, 1_ms);
    ends.near.set_link(false);
    EXPECT_FALSE(ends.near.round_trips(5_s + 3_ms));
    EXPECT_FALSE(ends.near.is_due(60_s));
    ends.near.set_link(true);
    EXPECT_TRUE(said(ends.near, 60_s));
    ends.near.set_link(true);
    EXPECT_FALSE(ends.near.is_due(60_s + 1_ms)) << "it is no news";
}

TEST(RelayProbe, APeerThatAnsweredIsExpectedToAfterALinkWasDown) {
    Ends ends;
    EXPECT_FALSE(ends.near.has_ceased(5_s)) << "nobody has to answer";
    ends.ask(5_s, 1_ms, 0_ms, 1_ms);
    ends.near.set_link(false);
    ends.near.set_link(true);
    EXPECT_TRUE(ends.near.has_ceased(6_s));
    ends.ask(6_s, 1_ms, 0_ms, 1_ms);
    EXPECT_FALSE(ends.near.has_ceased(7_s));
    ends.near.begin_anew();
    EXPECT_FALSE(ends.near.has_ceased(7_s));
}

TEST(RelayProbe, AnswersAHundredTimesASecondAtTheMost) {
    RelayProbe asker;
    RelayProbe end;
    said(end, 1_s);
    const auto question = said(asker, 1_s);
    int answers = 0;
    for (Nanos now = 1_s; now < 2_s; now += 1_ms) {
        end.receive(*question, now);
        answers += said(end, now) ? 1 : 0;
    }
    EXPECT_EQ(answers, 100);
}

TEST(RelayProbe, AnAnswerToAnotherQuestionOrASecondOneChangesNothing) {
    RelayProbe asker;
    RelayProbe end;
    const auto question = said(asker, 7_s);
    said(end, 1_s);
    end.receive(*question, 1_s);
    auto answer = *said(end, 1_s);
    ++answer[3];
    asker.receive(answer, 7_s + 1_ms);
    EXPECT_EQ(asker.answered(), 0U);
    --answer[3];
    answer[5] = 0xFFFF;  // held for longer than it was away
    answer[4] = 0xFFFF;
    asker.receive(answer, 7_s + 1_ms);
    EXPECT_EQ(asker.answered(), 0U);
    answer[4] = answer[5] = 0;
    asker.receive(answer, 7_s + 2_ms);
    asker.receive(answer, 7_s + 3_ms);
    EXPECT_EQ(asker.answered(), 1U);
    EXPECT_EQ(asker.round_trips(8_s)->longest, 2_ms);
}

TEST(RelayProbe, WhatIsNoProbeIsNothing) {
    RelayProbe end;
    said(end, 1_s);
    end.receive({0, 1, 0, 0, 0, 0, 0, 0}, 1_s);
    end.receive({0x5254, 3, 0, 0, 0, 0, 0, 0}, 1_s);
    EXPECT_FALSE(end.is_due(1_s));
}

}  // namespace
}  // namespace sluice
