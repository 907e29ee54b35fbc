// Ports by credit that begin, leave, start anew or have other terms, and who else speaks to them.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/pauses.h"
#include "tests/unit/dataplane/credit_link.h"

namespace sluice {
namespace {

using namespace literals;
using test::credit_settings;
using test::CreditLinkTest;
using test::Octets;
using test::Rig;

TEST_F(CreditLinkTest, ARestartedPeerCountsAnew) {
    settle();
    a.receive(0, "abcdefgh", test::to(1));
    pass();
    Rig again(credit_settings(0));  // in the place of b, with nothing in its buffer
    again.now = b.now + 7_ms;
    again.housekeep();
    const auto exchange = [&] {
        a.now += 1_ms;
        again.now += 1_ms;
        for (int turn = 0; turn < 4; ++turn) {
            update(a, 1, again, 0);
            update(again, 0, a, 1);
        }
    };
    exchange();
    EXPECT_EQ(state_of_a(), CreditState::without) << "nobody has credit for it, nor counts";
    EXPECT_EQ(again.dataplane.credit(0).state(), CreditState::waits) << "it has no neighbour yet";
    again.dataplane.set_credit_peer(0, CreditPeer::able, 0);
    exchange();
    EXPECT_EQ(credit(), 4_KiB);
    EXPECT_EQ(again.dataplane.credit(0).state(), CreditState::credit);
}

// Two switches whose links come up at one instant do so, above all in virtual time.
TEST_F(CreditLinkTest, PortsOfOneNumberThatBeginAtOnceHaveSessionsOfTheirOwn) {
    Settings settings = credit_settings(1);
    settings.ports[1].address = {uint64_t{0x0200'0000'0300}};
    Rig other(settings);
    other.dataplane.set_credit_peer(1, CreditPeer::able, 0);
    other.housekeep();
    for (int turn = 0; turn < 4; ++turn) {
        update(a, 1, other, 1);
        update(other, 1, a, 1);
    }
    EXPECT_EQ(state_of_a(), CreditState::credit);
    EXPECT_EQ(other.dataplane.credit(1).state(), CreditState::credit);
}

TEST_F(CreditLinkTest, APortMayGoByCreditAndBackWhileItRuns) {
    settle();
    a.receive(0, std::string(10, 'x'), test::to(1));
    pass();
    a.adopt(by_pfc());
    a.receive(0, std::string(10, 'y'), test::to(1));
    for (int time = 0; time < 3; ++time) {
        EXPECT_FALSE(a.send_credit_update(1).empty()) << "it leaves, and that is lost";
        pass();
        wait(1_ms);
    }
    EXPECT_TRUE(update(a, 1, b, 0));
    pass();
    EXPECT_EQ(a.sent_now(1), std::string(10, 'x')) << "nothing else meanwhile";
    EXPECT_FALSE(b.send_pause_frame(0).empty()) << "ahead of its answer";
    EXPECT_TRUE(a.dataplane.shard_of(1).has_credit(1));
    EXPECT_TRUE(update(b, 0, a, 1));
    EXPECT_TRUE(a.send_credit_update(1).empty());
    EXPECT_EQ(state_of_a(), CreditState::no_link);
    pass();
    EXPECT_EQ(a.sent_now(1), std::string(10, 'y')) << "the pause is another's in this test";
    wait(CreditEnd::longest_hold);
    EXPECT_TRUE(a.send_credit_update(1).empty());
    EXPECT_FALSE(a.dataplane.shard_of(1).has_credit(1)) << "nobody may ask any more";
    b.run();
    a.adopt(credit_settings(1));
    housekeep();
    settle();
    EXPECT_EQ(state_of_a(), CreditState::credit);
    EXPECT_EQ(credit(), 4_KiB);
    EXPECT_EQ(b.drops(0, Drop::no_credit) + b.drops(0, Drop::headroom_overrun), 0U);
}

// Both turn at once, and a's update is lost: b, which has its answer, has to answer once more.
TEST_F(CreditLinkTest, TwoThatTurnToPfcGoOnWithinARefresh) {
    settle();
    Settings of_b = credit_settings(0);
    of_b.ports[0].flow_control = FlowControl::pfc;
    a.adopt(by_pfc());
    b.adopt(of_b);
    EXPECT_FALSE(a.send_credit_update(1).empty());
    EXPECT_TRUE(update(b, 0, a, 1));
    EXPECT_TRUE(update(a, 1, b, 0));
    b.send_credit_update(0);
    a.receive(0, "abc", test::to(1));
    pass();
    EXPECT_EQ(a.sent(1), "");
    wait(1_ms);
    EXPECT_TRUE(update(a, 1, b, 0));
    EXPECT_TRUE(update(b, 0, a, 1));
    a.send_credit_update(1);
    pass();
    EXPECT_EQ(a.sent(1), "abc");
}

// b's frames are dropped there, as by PFC, and wait for nothing.
TEST_F(CreditLinkTest, APortThatIsShutWhileItsLinkStandsKeepsItsSession) {
    std::vector<Octets> sent;
    b.ports.on_sent = [&](PortIndex output, const Frame& frame) {
        if (output == 0) sent.emplace_back(frame.data, frame.data + frame.length);
    };
    settle();
    const PortSet shut = only(PortIndex{1});
    for (const Drop why : {Drop::lacp_detached, Drop::loop_shut}) {
        why == Drop::loop_shut ? a.dataplane.set_loop_shut(shut)
                               : a.dataplane.set_lacp_detached(shut, shut);
        housekeep();
        for (int round = 0; round < 4; ++round) {
            b.receive(1, std::string(16, 'x'), test::to(0, 3, 1));
            b.poll();
            EXPECT_EQ(sent.size(), 16U);
            a.receive(1, std::exchange(sent, {}));
            wait(1_ms);
            settle();
        }
        EXPECT_EQ(a.drops(1, why), 64U);
        a.dataplane.set_loop_shut(0);
        a.dataplane.set_lacp_detached(0, 0);
    }
    housekeep();
    EXPECT_EQ(state_of_a(), CreditState::credit);
    a.receive(0, "abc", test::to(1));
    pass();
    EXPECT_EQ(a.sent(1), "abc");
}

// The peer knows the port by its old address, and goes on accepting its updates.
TEST_F(CreditLinkTest, APortThatGetsAnotherAddressKeepsItsSession) {
    settle();
    Settings moved = credit_settings(1);
    moved.ports[1].address = test::station(77);
    a.adopt(moved);
    for (int second = 0; second < 12; ++second) {
        wait(1_s);
        settle();
        EXPECT_EQ(state_of_b(), CreditState::credit);
    }
    lose_link_for(1_ms);
    const Octets first = a.send_credit_update(1);
    ASSERT_FALSE(first.empty());
    EXPECT_EQ(read_address(&first[6]), test::station(77));
}

// Without a link the port was held; with a link it is not.
TEST_F(CreditLinkTest, APortThatTurnsToPfcWithoutALinkSendsOnceItHasOne) {
    settle();
    a.dataplane.set_link(1, false);
    housekeep();
    EXPECT_TRUE(a.send_credit_update(1).empty());
    a.adopt(by_pfc());
    a.dataplane.set_link(1, true);
    housekeep();
    a.receive(0, "abc", test::to(1));
    pass();
    EXPECT_EQ(a.sent(1), "abc");
}

// Its link goes while a frame waits for the peer's answer.
TEST_F(CreditLinkTest, WhatAPortSpendsByPfcIsNoWaitForCredit) {
    settle();
    a.adopt(by_pfc());
    a.receive(0, "a", test::to(1));
    pass();
    EXPECT_FALSE(a.send_credit_update(1).empty());
    EXPECT_EQ(a.sent(1), "");
    lose_link_for(1_ms);
    wait(3600_s);
    housekeep();
    a.adopt(credit_settings(1));
    a.receive(0, "b", test::to(1));
    pass();
    wait(1_ms);
    a.send_credit_update(1);
    EXPECT_EQ(state_of_a(), CreditState::waits);
    EXPECT_LT(a.dataplane.credit(1).blocked(3), 1_s);
}

// The session goes on; only a new one would not begin.
TEST_F(CreditLinkTest, SeveralNeighboursEndNoSessionAndBeginNone) {
    settle();
    a.dataplane.set_credit_peer(1, CreditPeer::several, 0);
    for (uint32_t round = 0; round < 30; ++round) {
        a.receive(1, {stray_update(100 + round, 0)});  // the third one's
        a.receive(0, std::string(4, 'x'), test::to(1));
        pass();
        b.poll();
        wait(1_ms);
        settle();
    }
    EXPECT_EQ(a.sent(1).size(), 120U);
    EXPECT_EQ(state_of_a(), CreditState::credit);
    EXPECT_EQ(state_of_b(), CreditState::credit);
    EXPECT_EQ(b.drops(0, Drop::no_credit), 0U);
    lose_link_for(1_ms);
    for (int round = 0; round < 10; ++round) {
        wait(1_ms);
        update(b, 0, a, 1);
        update(a, 1, b, 0);
    }
    EXPECT_EQ(state_of_a(), CreditState::waits);
    wait(CreditEnd::longest_hold);
    update(a, 1, b, 0);
    EXPECT_EQ(state_of_a(), CreditState::without);
}

// Somebody sends one update in b's name, with credit for a megabyte; then b continues.
TEST_F(CreditLinkTest, AStrayUpdateLetsItOverrunNobody) {
    settle();
    for (int round = 0; round < 100; ++round) {
        a.receive(0, std::string(8, 'x'), test::to(1));
        pass();
        b.poll();
        settle();
    }
    const Octets of_b = [&] {
        wait(1_ms);
        return b.send_credit_update(0);
    }();
    a.receive(1, {stray_update(0x5712A7, 1'000'000, b.settings.ports[0].address)});
    a.receive(1, {of_b});
    for (int burst = 0; burst < 2; ++burst) a.receive(0, std::string(25, 'y'), test::to(1));
    pass();
    EXPECT_EQ(a.sent(1).find('y'), std::string::npos) << "before it has looked at its credit again";
    for (int round = 0; round < 20; ++round) {
        update(a, 1, b, 0);
        pass();
        EXPECT_LE(held_by_b(), 4_KiB);
        wait(1_ms);
        update(b, 0, a, 1);
    }
    EXPECT_EQ(b.drops(0, Drop::no_credit) + b.drops(0, Drop::headroom_overrun), 0U);
    EXPECT_EQ(state_of_a(), CreditState::credit);
    EXPECT_EQ(held_by_b(), 4_KiB) << "and what it has credit for it sends";
    b.poll();
    settle();
    EXPECT_EQ(credit(), 4_KiB);
}

// A host that speaks of credit, and has no LLDP: with ever new sessions, and as if it received
// ours.
TEST_F(CreditLinkTest, AHostThatSendsUpdatesStopsNobody) {
    a.dataplane.set_credit_peer(1, CreditPeer::unknown, 0);
    uint32_t session = 100;
    for (int turn = 0; turn < 50; ++turn) {
        wait(100_ms);
        a.receive(1, {stray_update(++session, 0)});
        a.send_credit_update(1);
    }
    EXPECT_EQ(state_of_a(), CreditState::without);
    a.receive(0, std::string(20, 'x'), test::to(1));
    pass();
    EXPECT_EQ(a.sent(1), std::string(20, 'x')) << "by PFC";
    wait(1_ms);
    unsigned answers = 0;
    for (int time = 0; time < 1000; ++time) {
        a.receive(1, {stray_update(++session, 0)});
        answers += a.send_credit_update(1).empty() ? 0U : 1U;
    }
    EXPECT_EQ(answers, CreditEnd::most_answers) << "in a millisecond";
}

// Less is set aside, and more priorities are lossless, while all that b offered is under way.
TEST_F(CreditLinkTest, OtherTermsLoseNothing) {
    settle();
    for (int burst = 0; burst < 2; ++burst) a.receive(0, std::string(20, 'x'), test::to(1));
    while (a.slot() > 0) continue;
    while (a.transmit(1) > 0) continue;
    EXPECT_EQ(credit(), 0_B);
    Settings smaller = credit_settings(0, 512_B);
    smaller.ports[0].credit = {.buffer = 1_KiB, .quantum = 512_B, .refresh = 1_ms};
    smaller.ports[0].pfc.reserved = 1_KiB;
    smaller.ports[0].pfc.lossless = smaller.ports[1].pfc.lossless = 0b0001'1000;
    b.adopt(smaller);
    pass();
    EXPECT_EQ(held_by_b(), 4_KiB);
    EXPECT_EQ(b.drops(0, Drop::no_credit) + b.drops(0, Drop::headroom_overrun), 0U);
    for (int round = 0; round < 100; ++round) {
        wait(1_ms);
        update(b, 0, a, 1);
        update(a, 1, b, 0);
        pass();
        b.poll();
    }
    settle();
    EXPECT_EQ(state_of_a(), CreditState::credit);
    EXPECT_EQ(a.dataplane.credit(1).lossless_at_peer(), 0b0001'1000);
    EXPECT_EQ(credit(), 1_KiB);
    EXPECT_EQ(a.sent(1), std::string(40, 'x'));
    EXPECT_EQ(b.departures(1).size(), 40U);
    EXPECT_EQ(b.drops(0, Drop::no_credit) + b.drops(0, Drop::headroom_overrun), 0U);
}

// All of the buffer of b is in use, its headroom as well.
class FullAtB : public CreditLinkTest {
  protected:
    FullAtB() : CreditLinkTest(credit_settings(1), credit_settings(0, 2_KiB)) {
        settle();
        a.receive(0, std::string(16, 'x'), test::to(1));
        pass();
        EXPECT_EQ(held_by_b(), 4_KiB);
        a.receive(0, std::string(12, 'y'), test::to(1));
    }
    // Carries b's pause frame to a.
    void pause() {
        const std::vector<uint8_t> octets = b.send_pause_frame(0);
        EXPECT_FALSE(octets.empty());
        a.receive(1, {octets});
    }
    // All waiting frames arrive in the end, by PFC.
    void nothing_is_lost() {
        for (int round = 0; round < 20; ++round) {
            pass();
            b.run();
            const std::vector<uint8_t> octets = b.send_pause_frame(0);
            if (!octets.empty()) a.receive(1, {octets});
            wait(1_ms);
            update(a, 1, b, 0);
            update(b, 0, a, 1);
        }
        EXPECT_EQ(b.departures(1).size(), 28U);
        EXPECT_EQ(b.drops(0, Drop::no_credit) + b.drops(0, Drop::headroom_overrun), 0U);
    }
};

TEST_F(FullAtB, ASenderThatLeavesIsPausedBeforeItIsAnswered) {
    a.adopt(by_pfc());
    EXPECT_TRUE(update(a, 1, b, 0));
    pass();
    pause();
    EXPECT_TRUE(update(b, 0, a, 1));
    a.send_credit_update(1);
    EXPECT_EQ(state_of_a(), CreditState::no_link);
    pass();
    EXPECT_EQ(a.sent(1), std::string(16, 'x')) << "it is paused";
    nothing_is_lost();
}

TEST_F(FullAtB, AReceiverThatLeavesPausesFirst) {
    b.dataplane.set_credit_peer(0, CreditPeer::unable, 0);
    EXPECT_TRUE(b.send_credit_update(0).empty()) << "a pause goes first";
    pause();
    EXPECT_TRUE(update(b, 0, a, 1)) << "it leaves";
    EXPECT_EQ(state_of_b(), CreditState::waits);
    pass();
    EXPECT_EQ(a.sent(1), std::string(16, 'x')) << "it is paused";
    EXPECT_TRUE(update(a, 1, b, 0)) << "the answer";
    a.dataplane.set_credit_peer(1, CreditPeer::unable, 0);
    a.send_credit_update(1);
    b.send_credit_update(0);
    EXPECT_EQ(state_of_a(), CreditState::without);
    EXPECT_EQ(state_of_b(), CreditState::without);
    nothing_is_lost();
}

TEST_F(FullAtB, OneThatTurnsToPfcKeepsRoomForWhatIsUnderWay) {
    b.run();
    settle();
    for (bool more = true; more;) {
        while (a.slot() > 0) continue;
        more = a.transmit(1) > 0;
    }
    Settings smaller = credit_settings(0, 512_B);
    smaller.ports[0].flow_control = FlowControl::pfc;
    smaller.ports[0].pfc.reserved = 0_B;
    b.adopt(smaller);
    EXPECT_TRUE(update(b, 0, a, 1));
    pass();
    EXPECT_EQ(held_by_b(), 3_KiB) << "more than XOFF and headroom hold";
    EXPECT_EQ(b.drops(0, Drop::no_credit) + b.drops(0, Drop::headroom_overrun), 0U);
    EXPECT_TRUE(update(a, 1, b, 0)) << "the answer, behind all of that";
    b.send_credit_update(0);
    b.run();
    b.receive(0, std::string(12, 'z'), test::to(1));
    EXPECT_GT(b.drops(0, Drop::headroom_overrun), 0U) << "no more is kept for credit";
}

}  // namespace
}  // namespace sluice
