// Two ends, and a wire of one update at a time.
#include "dataplane/credits/credit_end.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

constexpr CreditTerms terms{.governed = 0b0000'1000, .buffer = 1_KiB, .cell = 256_B};
constexpr CreditPace pace{.quantum = 256_B, .refresh = 10_us};

class CreditEndTest : public testing::Test {
  protected:
    // The update that `from` has due, to the other. False: nothing.
    bool tell(CreditEnd& from, CreditEnd& to) {
        if (!from.is_due(now)) return false;
        const CreditUpdate update = from.update();
        from.sent(now);
        to.hear(update, now);
        return true;
    }
    // How many updates it takes until none is due.
    int settle() {
        int updates = 0;
        while (updates < 100 && (tell(a, b) || tell(b, a))) ++updates;
        return updates;
    }
    // Both have a link, and believe each other.
    void connect() {
        a.start(10);
        b.start(20);
        settle();
    }
    void pass(Bytes length) {
        ASSERT_TRUE(a.sender().covers(3, length));
        a.sender().spend(3, length);
        arrive(b, length);
    }
    static void arrive(CreditEnd& at, Bytes length) {
        at.receiver().came(3, terms.cost(length));
        ASSERT_TRUE(at.receiver().take(3, terms.cost(length)));
    }

    Nanos now = 1_us;
    CreditEnd a{terms, pace};
    CreditEnd b{terms, pace};
};

TEST_F(CreditEndTest, SpendsFromWhenItHasSaidSoAndTheOtherCountsFromThen) {
    EXPECT_FALSE(a.is_due(now)) << "it has no link";
    a.start(10);
    EXPECT_TRUE(tell(a, b));
    EXPECT_FALSE(b.is_established()) << "nor has the other";
    b.start(20);
    EXPECT_TRUE(tell(b, a));
    EXPECT_FALSE(a.is_established()) << "b has not heard a";
    EXPECT_TRUE(tell(a, b));
    EXPECT_TRUE(b.is_established());
    EXPECT_FALSE(b.spends() || b.counts());
    EXPECT_TRUE(tell(b, a));
    EXPECT_TRUE(b.spends());
    EXPECT_TRUE(a.is_established() && a.counts());
    EXPECT_FALSE(a.spends());
    EXPECT_TRUE(tell(a, b));
    EXPECT_TRUE(a.spends() && b.counts());
    EXPECT_FALSE(a.sender().covers(3, 60_B)) << "it does not know that b counts";
    EXPECT_TRUE(tell(b, a));
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEndTest, WhatCameBeforeIsNotOfferedAgain) {
    a.start(10);
    b.start(20);
    tell(a, b);
    tell(b, a);
    ASSERT_TRUE(b.receiver().take(3, 256_B));  // is on the wire ahead of what a says next
    settle();
    EXPECT_EQ(a.sender().credit(3), 768_B);
    b.receiver().give_back(3, 256_B);
    settle();
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEndTest, BelievesNobodyWhoIsSilentForLong) {
    connect();
    a.end_if_silent(now + CreditEnd::longest_silence);
    EXPECT_TRUE(a.spends());
    a.end_if_silent(now + CreditEnd::longest_silence + 1_ns);
    EXPECT_FALSE(a.is_established() || a.spends() || a.counts());
    now = now + CreditEnd::longest_silence + 1_ns;
    settle();
    EXPECT_TRUE(a.spends() && b.spends()) << "it was not so silent after all";
}

TEST_F(CreditEndTest, SettlesWithAFewUpdatesAndIsThenSilentUntilTheRefresh) {
    a.start(10);
    b.start(20);
    EXPECT_LE(settle(), 6);
    EXPECT_TRUE(a.spends() && a.counts() && b.spends() && b.counts());
    now = now + 9_us;
    EXPECT_EQ(settle(), 0);
    now = now + 1_us;
    EXPECT_EQ(settle(), 2);
}

TEST_F(CreditEndTest, SettlesWhereUpdatesCrossOnTheWire) {
    a.start(10);
    b.start(20);
    for (int round = 0; round < 4; ++round) {
        const CreditUpdate of_a = a.update();
        const CreditUpdate of_b = b.update();
        a.sent(now);
        b.sent(now);
        a.hear(of_b, now);
        b.hear(of_a, now);
    }
    EXPECT_TRUE(a.spends() && a.counts() && b.spends() && b.counts());
}

TEST_F(CreditEndTest, ALostUpdateIsMadeGoodByTheNext) {
    connect();
    pass(500_B);
    pass(500_B);
    EXPECT_FALSE(a.sender().covers(3, 60_B));
    b.receiver().give_back(3, 512_B);
    EXPECT_TRUE(b.is_due(now));
    b.sent(now);  // and it is lost
    b.receiver().give_back(3, 512_B);
    EXPECT_TRUE(tell(b, a));
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEndTest, TheCreditOfALostFrameComesBack) {
    connect();
    a.sender().spend(3, 500_B);  // and it is lost
    EXPECT_EQ(a.sender().credit(3), 512_B);
    now = now + 10_us;
    EXPECT_EQ(b.hear(a.update(), now), 512_B);
    EXPECT_TRUE(tell(b, a));
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEndTest, ARestartedReceiverOffersNothingTwice) {
    connect();
    pass(500_B);
    b = CreditEnd(terms, pace);  // its buffer went with it
    b.start(30);
    const CreditUpdate old = a.update();
    a.sender().spend(3, 500_B);  // is on the wire behind it
    b.hear(old, now);
    arrive(b, 500_B);
    const CreditUpdate too_early = b.update();
    a.hear(too_early, now);
    EXPECT_FALSE(a.spends() || a.sender().covers(3, 60_B)) << "b does not count yet";
    settle();
    EXPECT_EQ(a.sender().credit(3), 512_B);
    b.receiver().give_back(3, 512_B);
    settle();
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEndTest, ARestartedSenderIsOfferedWhatIsFree) {
    connect();
    pass(500_B);
    a = CreditEnd(terms, pace);
    a.start(30);
    settle();
    EXPECT_EQ(a.sender().credit(3), 512_B) << "the rest still stands at b";
    b.receiver().give_back(3, 512_B);
    settle();
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEndTest, AfterALossOfTheLinkNothingIsMissing) {
    connect();
    a.sender().spend(3, 500_B);  // goes with the link
    a.stop();
    b.stop();
    EXPECT_FALSE(a.spends());
    EXPECT_FALSE(a.is_due(now));
    a.start(11);
    b.start(21);
    settle();
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEndTest, ItsOwnUpdateThatComesBackIsNone) {
    a.start(10);
    const CreditUpdate own = a.update();
    a.hear(own, now);
    a.hear(a.update(), now);
    EXPECT_FALSE(a.is_established());
}

}  // namespace
}  // namespace sluice
