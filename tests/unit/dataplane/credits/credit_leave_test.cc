// How an end leaves credit or begins it anew, and what others can do about that.
#include "tests/unit/dataplane/credits/credit_ends.h"

namespace sluice {
namespace {

using namespace literals;
using test::at_b;
using test::CreditEnds;
using test::elsewhere;
using test::pace;
using test::terms;

TEST_F(CreditEnds, SaysThatItLeavesASilentOneThatLldpDoesNotShow) {
    connect();
    a.set_peer(CreditPeer::unknown, 0, now);
    EXPECT_TRUE(a.sends_on_credit());
    now = now + CreditEnd::longest_silence + 1_ns;
    a.expire(now);
    EXPECT_TRUE(a.is_leaving() && a.holds(now));
    EXPECT_TRUE(update(a, b));
    EXPECT_FALSE(b.counts()) << "so what a sends without credit is paused";
}

TEST_F(CreditEnds, LeavesWhereLldpIsDisabledAndHoldsNothingForAPeerThatMayCome) {
    connect();
    a.set_peer(CreditPeer::no_lldp, 0, now);
    EXPECT_TRUE(a.is_leaving());
    a.start(11, now);
    EXPECT_FALSE(a.holds(now));
    EXPECT_EQ(a.state(now), CreditState::without);
}

TEST_F(CreditEnds, WhoNeverReceivedAnybodyHasNobodyToLeave) {
    a.start(10, now);
    a.leave(now);
    EXPECT_FALSE(a.is_leaving());
}

TEST_F(CreditEnds, AnEstablishedSessionGoesOnWhereLldpHasAnotherNeighbourOrNone) {
    connect();
    for (const CreditPeer peer : {CreditPeer::several, CreditPeer::unknown}) {
        a.set_peer(peer, 0, now);
        now = now + 10_us;
        settle();
        EXPECT_EQ(a.state(now), CreditState::credit);
        EXPECT_EQ(b.state(now), CreditState::credit);
    }
}

// After one update of another sender the peer continues: the limits that it had sent hold in its
// earlier session alone.
TEST_F(CreditEnds, AStrayUpdateLetsItOverrunNobody) {
    connect();
    for (int frame = 0; frame < 100; ++frame) {
        pass(1000_B);
        b.receiver().give_back(3, terms.cost(1000_B));
        settle();
    }
    CreditUpdate stray = b.update();
    stray.session = 0x5712A7;
    a.receive(stray, elsewhere, now);
    EXPECT_EQ(a.state(now), CreditState::credit) << "it is not its peer's";
    for (const uint32_t named : {0U, 10U}) {
        stray.peer_session = named;
        const CreditUpdate of_b = b.update();
        a.receive(stray, at_b, now);
        a.receive(of_b, at_b, now);
        EXPECT_FALSE(a.sends_on_credit() || a.sender().covers(3, 60_B));
        EXPECT_TRUE(a.holds(now));
        now = now + 10_us;
        settle();
        EXPECT_EQ(a.state(now), CreditState::credit);
        EXPECT_EQ(b.state(now), CreditState::credit);
        EXPECT_EQ(a.sender().credit(3), 1_KiB);
    }
}

TEST_F(CreditEnds, NobodyElseEndsAnEstablishedSession) {
    connect();
    CreditUpdate stray = b.update();
    stray.session = 1000;
    for (int turn = 0; turn < 8; ++turn) {
        ++stray.session;
        stray.peer_session = a.update().session;
        stray.leaves = (turn & 1) != 0;
        stray.answers = (turn & 2) != 0;
        a.receive(stray, elsewhere, now);
        EXPECT_EQ(a.state(now), CreditState::credit);
        EXPECT_EQ(a.sender().credit(3), 1_KiB);
    }
}

TEST_F(CreditEnds, NobodyElseAnswersForTheOneThatItLeaves) {
    connect();
    a.leave(now);
    CreditUpdate answer = b.update();
    answer.session = 77;
    answer.peer_session = a.update().session;
    answer.answers = true;
    a.receive(answer, elsewhere, now);
    EXPECT_TRUE(a.is_leaving() && a.holds(now));
    EXPECT_TRUE(update(a, b));
    EXPECT_TRUE(update(b, a));
    EXPECT_FALSE(a.is_leaving() || a.holds(now));
}

TEST_F(CreditEnds, EachChangeOfItsOwnIsHeld) {
    connect();
    CreditTerms other = terms;
    for (const Bytes buffer : {512_B, 2_KiB, 768_B}) {
        other.buffer = buffer;
        b.configure(other, pace, now);
        EXPECT_TRUE(b.holds(now)) << "a may count its old session";
        settle();
        EXPECT_FALSE(b.holds(now));
        EXPECT_EQ(b.state(now), CreditState::credit);
        now = now + 1_s;
    }
}

TEST_F(CreditEnds, LeavesOneThatHasNotAnsweredYet) {
    connect();
    CreditTerms other = terms;
    other.buffer = 512_B;
    a.configure(other, pace, now);
    a.leave(now);
    a.leave(now);
    EXPECT_TRUE(a.is_leaving() && a.holds(now));
    EXPECT_EQ(a.update().peer_session, 20U);
    EXPECT_TRUE(update(a, b));
    EXPECT_FALSE(b.counts() || b.sends_on_credit());
    EXPECT_TRUE(update(b, a));
    EXPECT_FALSE(a.is_leaving() || a.holds(now));
}

// b has its answer, and the leave of a was lost.
TEST_F(CreditEnds, WhereBothRetireOneThatIsLostIsSaidAgain) {
    connect();
    a.retire(now);
    b.retire(now);
    a.sent(now);
    EXPECT_TRUE(update(b, a));
    EXPECT_TRUE(update(a, b));
    EXPECT_FALSE(b.is_leaving() || b.holds(now) || b.is_done(now));
    EXPECT_EQ(b.state(now), CreditState::no_link) << "it goes by credit no more";
    EXPECT_TRUE(a.is_leaving() && a.holds(now));
    now = now + 10_us;
    EXPECT_TRUE(update(a, b));
    EXPECT_TRUE(update(b, a));
    EXPECT_FALSE(a.is_leaving() || a.holds(now));
    EXPECT_EQ(settle(), 0) << "neither offers anything";
    now = now + CreditEnd::longest_hold;
    EXPECT_TRUE(a.is_done(now) && b.is_done(now));
}

// b has other terms, says so, and would wait for the answer of one that turns to PFC.
TEST_F(CreditEnds, OneThatRetiresAnswersOneThatBeginsAnew) {
    connect();
    CreditTerms other = terms;
    other.buffer = 512_B;
    b.configure(other, pace, now);
    a.retire(now);
    settle();
    now = now + 10_us;
    settle();
    EXPECT_FALSE(a.holds(now) || b.holds(now));
}

TEST_F(CreditEnds, OneThatIsConfiguredAgainGoesByCreditAgain) {
    connect();
    a.retire(now);
    settle();
    EXPECT_EQ(a.state(now), CreditState::no_link);
    a.configure(terms, pace, now);
    settle();
    EXPECT_EQ(a.state(now), CreditState::credit);
    EXPECT_EQ(b.state(now), CreditState::credit);
}

// Each end was refused by the other, and neither sends anything for a while.
TEST_F(CreditEnds, WhoWasRefusedOffersAtOnceWhereItIsConfiguredAgain) {
    connect();
    a.retire(now);
    settle();
    b.retire(now);
    a.configure(terms, pace, now);
    settle();
    EXPECT_FALSE(a.is_due(now) || b.is_due(now));
    b.configure(terms, pace, now);
    settle();
    EXPECT_EQ(a.state(now), CreditState::credit);
    EXPECT_EQ(b.state(now), CreditState::credit);
}

TEST_F(CreditEnds, AStrayUpdateTakesNothingFromWhatIsHeldForThePeer) {
    connect();
    CreditTerms other = terms;
    other.lossless = 0b0001'0000;
    a.configure(other, pace, now);
    CreditUpdate stray{.session = 0x5712A7, .present = other.lossless};
    stray.terms.lossless = other.lossless;
    a.receive(stray, elsewhere, now);
    EXPECT_TRUE(a.holds(now));
    EXPECT_EQ(a.held_without_credit(), terms.lossless | other.lossless);
}

// The end began anew by itself, and has received nothing from the other since.
TEST_F(CreditEnds, WhereLldpSaysThatAPeerHasLeftItAsksWhetherThatIsSo) {
    connect();
    CreditTerms other = terms;
    other.buffer = 512_B;
    a.configure(other, pace, now);
    EXPECT_TRUE(a.holds(now));
    a.set_peer(CreditPeer::unable, 0, now);
    EXPECT_TRUE(a.is_leaving());
    settle();
    EXPECT_FALSE(a.is_leaving() || a.holds(now));
}

TEST_F(CreditEnds, WhoHasNoLinkIsDoneAtOnce) {
    a.retire(now);
    EXPECT_TRUE(a.is_done(now));
}

TEST_F(CreditEnds, CountsEachSessionThatDoesNotListenThoughLldpHasIt) {
    connect();
    for (const uint32_t session : {30U, 40U}) {
        b = CreditEnd(terms, pace);  // killed, with no neighbour yet
        b.start(session, now);
        for (int second = 0; second < 3; ++second) {
            now = now + 1_s;
            settle();
        }
        EXPECT_EQ(a.refusals(), session == 30 ? 2U : 4U) << "the first and the second of three";
    }
    CreditUpdate answer = b.update();
    answer.answers = true;
    const auto refuse = [&] {
        ++answer.session;
        answer.peer_session = a.update().session;
        a.receive(answer, at_b, now);
    };
    refuse();
    EXPECT_EQ(a.refusals(), 5U);
    a.set_peer(CreditPeer::unable, 0, now);
    refuse();
    EXPECT_EQ(a.refusals(), 5U) << "LLDP says the same";
    a.set_peer(CreditPeer::able, 0, now);
    a.retire(now);
    refuse();
    EXPECT_EQ(a.refusals(), 5U) << "it offers nothing";
}

TEST_F(CreditEnds, WhatAnswersALeaveIsNoRefusal) {
    connect();
    a.leave(now);
    settle();
    EXPECT_EQ(a.refusals(), 0U);
}

TEST_F(CreditEnds, OneThatGaveUpBeginsAgainWithOtherTermsOrOnceItIsBack) {
    const PrioritySet three = 0b1000;
    CreditTerms other = terms;
    for (const bool retires : {true, false}) {
        a = an_end();
        b = an_end();
        connect();
        a.end_if_starved(three, now);
        now = now + CreditEnd::longest_wait + 1_ns;
        a.end_if_starved(three, now);
        EXPECT_TRUE(a.gave_up() && a.is_leaving());
        if (retires) {
            a.retire(now);
            settle();
        }
        other.buffer = retires ? terms.buffer : 512_B;
        a.configure(other, pace, now);
        EXPECT_FALSE(a.gave_up());
        now = now + CreditEnd::pause_of_offers;
        settle();
        EXPECT_EQ(a.state(now), CreditState::credit) << retires;
    }
}

TEST_F(CreditEnds, WaitsNoLongerThanItsHoldForAnAnswer) {
    connect();
    a.leave(now);
    a.expire(now + CreditEnd::longest_hold - 1_ns);
    EXPECT_TRUE(a.is_leaving());
    a.expire(now + CreditEnd::longest_hold);
    EXPECT_FALSE(a.is_leaving() || a.holds(now + CreditEnd::longest_hold));
}

TEST_F(CreditEnds, GivesUpOneThatGivesNoCreditForLong) {
    connect();
    pass(1000_B);
    const PrioritySet three = 0b1000;
    a.end_if_starved(three, now);
    a.end_if_starved(0, now + CreditEnd::longest_wait);
    EXPECT_FALSE(a.is_leaving()) << "nothing waited meanwhile";
    a.end_if_starved(three, now + CreditEnd::longest_wait);
    a.end_if_starved(three, now + CreditEnd::longest_wait * 2);
    EXPECT_TRUE(a.sends_on_credit());
    a.end_if_starved(three, now + CreditEnd::longest_wait * 2 + 1_ns);
    EXPECT_TRUE(a.is_leaving());
    for (int turn = 0; turn < 10; ++turn) {
        now = now + 10_us;
        settle();
    }
    EXPECT_EQ(a.state(now), CreditState::without);
    EXPECT_FALSE(b.counts());
    a.start(11, now);
    settle();
    EXPECT_EQ(a.state(now), CreditState::credit);
}

TEST_F(CreditEnds, AnswersAFloodAFewTimesAlone) {
    connect();
    CreditUpdate old = b.update();
    old.peer_session = 9;
    unsigned answers = 0;
    for (int time = 0; time < 1000; ++time) {
        ++old.number;
        a.receive(old, at_b, now);
        if (!a.is_due(now)) continue;
        ++answers;
        a.sent(now);
    }
    EXPECT_EQ(answers, CreditEnd::most_answers);
}

TEST_F(CreditEnds, OtherTermsBeginASessionAnew) {
    connect();
    CreditTerms smaller = terms;
    smaller.buffer = 512_B;
    b.configure(smaller, pace, now);
    EXPECT_FALSE(b.counts() || b.sends_on_credit());
    EXPECT_TRUE(b.holds(now));
    now = now + 10_us;
    settle();
    EXPECT_EQ(a.sender().credit(3), 512_B);
    EXPECT_EQ(a.state(now), CreditState::credit);
}

TEST_F(CreditEnds, SaysThatItLeavesUntilThatIsAnsweredAndSendsNothingMeanwhile) {
    connect();
    a.set_peer(CreditPeer::unable, 0, now);
    for (int time = 0; time < 5; ++time) {
        EXPECT_TRUE(a.holds(now));
        EXPECT_TRUE(a.is_due(now) && a.update().leaves);
        a.sent(now);  // and it is lost
        a.receiver().give_back(3, 0_B);
        EXPECT_FALSE(a.is_due(now)) << "before the refresh";
        now = now + 10_us;
    }
    EXPECT_TRUE(update(a, b));
    EXPECT_FALSE(b.counts() || b.sends_on_credit());
    EXPECT_TRUE(a.holds(now));
    EXPECT_TRUE(update(b, a)) << "an answer";
    EXPECT_FALSE(a.holds(now) || a.is_leaving());
    EXPECT_EQ(a.state(now), CreditState::without);
    EXPECT_FALSE(a.is_due(now));
    EXPECT_TRUE(update(b, a)) << "b begins anew";
    EXPECT_TRUE(a.update().answers);
    EXPECT_TRUE(update(a, b));
    now = now + CreditEnd::pause_of_offers - 1_ns;
    EXPECT_FALSE(b.is_due(now));
    now = now + 1_ns;
    EXPECT_TRUE(b.is_due(now));
    a.set_peer(CreditPeer::able, 0, now);
    settle();
    EXPECT_EQ(a.state(now), CreditState::credit);
    EXPECT_EQ(b.state(now), CreditState::credit);
}

}  // namespace
}  // namespace sluice
