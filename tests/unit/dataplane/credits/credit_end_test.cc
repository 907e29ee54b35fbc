// How two ends begin, send, and make good what is lost.
#include "dataplane/credits/credit_end.h"

#include "tests/unit/dataplane/credits/credit_ends.h"

namespace sluice {
namespace {

using namespace literals;
using test::at_a;
using test::at_b;
using test::CreditEnds;
using test::pace;
using test::terms;

TEST_F(CreditEnds, IsOnCreditFromWhenItHasSaidSoAndTheOtherCountsFromThen) {
    EXPECT_FALSE(a.is_due(now)) << "it has no link";
    a.start(10, now);
    EXPECT_TRUE(update(a, b));
    EXPECT_FALSE(b.is_established()) << "nor has the other";
    b.start(20, now);
    EXPECT_TRUE(update(b, a));
    EXPECT_FALSE(a.is_established()) << "b has not heard a";
    EXPECT_TRUE(update(a, b));
    EXPECT_TRUE(b.is_established());
    EXPECT_FALSE(b.sends_on_credit() || b.counts());
    EXPECT_TRUE(update(b, a));
    EXPECT_TRUE(b.sends_on_credit());
    EXPECT_TRUE(a.is_established() && a.counts());
    EXPECT_FALSE(a.sends_on_credit());
    EXPECT_TRUE(update(a, b));
    EXPECT_TRUE(a.sends_on_credit() && b.counts());
    EXPECT_FALSE(a.sender().covers(3, 60_B)) << "it does not know that b counts";
    EXPECT_TRUE(update(b, a));
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEnds, WhatCameBeforeIsNotAdvertisedAgain) {
    a.start(10, now);
    b.start(20, now);
    update(a, b);
    update(b, a);
    ASSERT_TRUE(b.receiver().take(3, 256_B));  // on the wire ahead of a's next update
    settle();
    EXPECT_EQ(a.sender().credit(3), 768_B);
    b.receiver().give_back(3, 256_B);
    settle();
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEnds, BelievesNobodyWhoIsSilentForLong) {
    connect();
    a.expire(now + CreditEnd::longest_silence);
    EXPECT_TRUE(a.sends_on_credit());
    a.expire(now + CreditEnd::longest_silence + 1_ns);
    EXPECT_FALSE(a.is_established() || a.sends_on_credit() || a.counts());
    now = now + CreditEnd::longest_silence + 1_ns;
    settle();
    EXPECT_TRUE(a.sends_on_credit() && b.sends_on_credit()) << "it was not so silent after all";
}

TEST_F(CreditEnds, BelievesNoLimitBeyondABufferAhead) {
    connect();
    CreditUpdate update = b.update();
    update.limits[3] += 1'000'000;
    a.receive(update, at_b, now);
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEnds, AnUpdateThatComesTwiceOrLateIsNone) {
    connect();
    pass(1000_B);
    now = now + 10_us;
    const CreditUpdate early = a.update();
    EXPECT_TRUE(update(a, b));
    b.receiver().give_back(3, 1_KiB);
    settle();
    pass(1000_B);
    now = now + 10_us;
    settle();
    const CreditCounts limits = b.receiver().limits();
    EXPECT_EQ(b.receive(early, at_a, now), 0_B);
    EXPECT_EQ(b.receiver().limits(), limits);
    EXPECT_EQ(b.lost_updates(), 0U);
}

TEST_F(CreditEnds, HoldsWhatEitherTakesOnCredit) {
    EXPECT_EQ(a.held_without_credit(), 0b0000'1000);
    a.set_peer(CreditPeer::able, 0b0001'0000, now);
    EXPECT_EQ(a.held_without_credit(), 0b0001'1000);
    CreditTerms all = terms;
    all.lossless = 0b0010'1000;
    b.configure(all, pace, now);
    connect();
    EXPECT_EQ(a.held_without_credit(), 0b0011'1000);
}

TEST_F(CreditEnds, AShortFrameCostsAsMuchAsTheDeviceMakesOfIt) {
    constexpr CreditTerms octets{.lossless = 0xFF, .buffer = 1_KiB, .cell = 1_B};
    EXPECT_EQ(octets.cost(42_B), 60_B);
}

TEST_F(CreditEnds, AgreesWithAFewUpdatesAndIsThenSilentUntilTheRefresh) {
    a.start(10, now);
    b.start(20, now);
    EXPECT_LE(settle(), 6);
    EXPECT_TRUE(a.sends_on_credit() && a.counts() && b.sends_on_credit() && b.counts());
    now = now + 9_us;
    EXPECT_EQ(settle(), 0);
    now = now + 1_us;
    EXPECT_EQ(settle(), 2);
}

TEST_F(CreditEnds, AgreesWhereUpdatesCrossOnTheWire) {
    a.start(10, now);
    b.start(20, now);
    for (int round = 0; round < 4; ++round) {
        const CreditUpdate of_a = a.update();
        const CreditUpdate of_b = b.update();
        a.sent(now);
        b.sent(now);
        a.receive(of_b, at_b, now);
        b.receive(of_a, at_a, now);
    }
    EXPECT_TRUE(a.sends_on_credit() && a.counts() && b.sends_on_credit() && b.counts());
}

TEST_F(CreditEnds, ALostUpdateIsMadeGoodByTheNext) {
    connect();
    pass(500_B);
    pass(500_B);
    EXPECT_FALSE(a.sender().covers(3, 60_B));
    b.receiver().give_back(3, 512_B);
    EXPECT_TRUE(b.is_due(now));
    b.sent(now);  // and it is lost
    b.receiver().give_back(3, 512_B);
    EXPECT_TRUE(update(b, a));
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEnds, TheCreditOfALostFrameComesBack) {
    connect();
    a.sender().consume(3, 500_B);  // and it is lost
    EXPECT_EQ(a.sender().credit(3), 512_B);
    now = now + 10_us;
    EXPECT_EQ(b.receive(a.update(), at_a, now), 512_B);
    EXPECT_TRUE(update(b, a));
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEnds, ARestartedReceiverAdvertisesNothingTwice) {
    connect();
    pass(500_B);
    b = an_end();  // its buffer is lost with it
    b.start(30, now);
    const CreditUpdate old = a.update();
    a.sender().consume(3, 500_B);  // is on the wire behind it
    b.receive(old, at_a, now);
    arrive(b, 500_B);
    const CreditUpdate too_early = b.update();
    b.sent(now);
    a.receive(too_early, at_b, now);
    EXPECT_FALSE(a.sends_on_credit() || a.sender().covers(3, 60_B)) << "b does not count yet";
    settle();
    EXPECT_EQ(a.sender().credit(3), 512_B);
    b.receiver().give_back(3, 512_B);
    settle();
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEnds, ARestartedSenderIsOfferedWhatIsFree) {
    connect();
    pass(500_B);
    a = an_end();
    a.start(30, now);
    settle();
    EXPECT_EQ(a.sender().credit(3), 512_B) << "the rest still stands at b";
    b.receiver().give_back(3, 512_B);
    settle();
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEnds, AfterALossOfTheLinkNothingIsMissing) {
    connect();
    a.sender().consume(3, 500_B);  // goes with the link
    a.stop();
    b.stop();
    EXPECT_FALSE(a.sends_on_credit());
    EXPECT_FALSE(a.is_due(now));
    a.start(11, now);
    b.start(21, now);
    settle();
    EXPECT_EQ(a.sender().credit(3), 1_KiB);
}

TEST_F(CreditEnds, ItsOwnUpdateThatComesBackIsNone) {
    a.start(10, now);
    const CreditUpdate own = a.update();
    a.receive(own, at_b, now);
    a.receive(a.update(), at_b, now);
    EXPECT_FALSE(a.is_established());
}

TEST_F(CreditEnds, SaysNothingUntilItKnowsThatTheOtherGoesByCredit) {
    a = CreditEnd(terms, pace);
    b = CreditEnd(terms, pace);
    a.start(10, now);
    b.start(20, now);
    EXPECT_EQ(settle(), 0);
    a.set_peer(CreditPeer::able, 0, now);
    EXPECT_TRUE(update(a, b));
    EXPECT_TRUE(b.update().answers) << "it does not listen, and says so";
    EXPECT_TRUE(a.holds(now));
    EXPECT_TRUE(update(b, a));
    EXPECT_FALSE(a.is_established() || b.is_established());
    EXPECT_FALSE(a.holds(now)) << "nobody counts what it sends";
    now = now + 1_ms;
    EXPECT_FALSE(a.is_due(now)) << "nor listens";
    b.set_peer(CreditPeer::able, 0, now);
    settle();
    EXPECT_EQ(a.state(now), CreditState::credit);
    EXPECT_EQ(b.state(now), CreditState::credit);
}

TEST_F(CreditEnds, HoldsWhatNeedsCreditForAsLongAsThatMayCome) {
    EXPECT_TRUE(a.holds(now)) << "it has no link";
    a.start(10, now);
    EXPECT_EQ(a.state(now), CreditState::waits);
    EXPECT_TRUE(a.holds(now + CreditEnd::longest_hold - 1_ns));
    EXPECT_FALSE(a.holds(now + CreditEnd::longest_hold));
    EXPECT_EQ(a.state(now + CreditEnd::longest_hold), CreditState::without);
    a.set_peer(CreditPeer::unable, 0, now);
    EXPECT_FALSE(a.holds(now));
    a.set_peer(CreditPeer::able, 0, now);
    b.start(20, now);
    settle();
    EXPECT_FALSE(a.holds(now)) << "it is on credit";
    b.start(30, now);
    update(b, a);
    EXPECT_TRUE(a.holds(now)) << "the other begins anew";
}

TEST_F(CreditEnds, CountsUpdatesThatDidNotCome) {
    connect();
    for (int lost = 0; lost < 3; ++lost) b.sent(now);
    now = now + 10_us;
    update(b, a);
    EXPECT_EQ(a.lost_updates(), 3U);
    b.start(30, now);
    settle();
    EXPECT_EQ(a.lost_updates(), 3U) << "a session begins";
}

}  // namespace
}  // namespace sluice
