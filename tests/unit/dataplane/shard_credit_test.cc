// What a port by credit sends, lets in, gives back and counts.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/pauses.h"
#include "tests/support/traced.h"
#include "tests/unit/dataplane/credit_link.h"

namespace sluice {
namespace {

using namespace literals;
using test::credit_settings;
using test::CreditLinkTest;
using test::Traced;

TEST_F(CreditLinkTest, OnlyWhatThereIsRoomForIsSent) {
    settle();
    a.receive(0, "abcdefghijklmnopqrst", test::to(1));
    pass();
    EXPECT_EQ(a.sent(1), "abcdefghijklmnop");
    EXPECT_EQ(held_by_b(), 4_KiB);
    EXPECT_EQ(b.dataplane.pool().used(), 0_B);
    settle();
    pass();
    EXPECT_EQ(a.sent(1), "abcdefghijklmnop");
    b.poll();
    settle();
    pass();
    EXPECT_EQ(a.sent(1), "abcdefghijklmnopqrst");
    b.poll();
    EXPECT_EQ(b.departures(1).size(), 20U);
    EXPECT_EQ(b.drops(0, Drop::no_credit), 0U);
    EXPECT_GT(b.drops(0, Drop::credit_update), 0U);
    EXPECT_TRUE(a.at_rest());
    EXPECT_TRUE(b.at_rest());
}

TEST_F(CreditLinkTest, GoesByPfcUntilItIsGivenAny) {
    a.dataplane.set_credit_peer(1, CreditPeer::unknown, 0);
    b.dataplane.set_credit_peer(0, CreditPeer::unknown, 0);
    EXPECT_TRUE(a.send_credit_update(1).empty());
    a.receive(0, "w", test::to(1));
    pass();
    EXPECT_EQ(a.sent_now(1), "") << "the other may count already";
    wait(CreditEnd::longest_hold);
    EXPECT_TRUE(a.send_credit_update(1).empty());
    EXPECT_TRUE(b.send_credit_update(0).empty());
    pass();
    EXPECT_EQ(a.sent_now(1), "w");
    b.poll();
    a.receive(0, std::string(20, 'x'), test::to(1));
    pass();
    EXPECT_EQ(a.sent_now(1), std::string(20, 'x'));
    EXPECT_FALSE(b.send_pause_frame(0).empty()) << "at XOFF";
    a.receive(1, {test::octets_of(test::pause_of(test::three, 65535))});
    a.receive(0, "y", test::to(1));
    pass();
    EXPECT_EQ(a.sent_now(1), "") << "it is paused";
    EXPECT_EQ(state_of_a(), CreditState::without);
    EXPECT_EQ(state_of_b(), CreditState::without);
    a.dataplane.set_credit_peer(1, CreditPeer::able, 0);
    EXPECT_FALSE(a.send_credit_update(1).empty());
    EXPECT_EQ(state_of_b(), CreditState::without)
        << "what LLDP says of one is nothing to the other";
    b.dataplane.set_credit_peer(0, CreditPeer::able, 0);
    wait(1_ms);
    settle();
    EXPECT_EQ(state_of_a(), CreditState::credit);
    EXPECT_EQ(state_of_b(), CreditState::credit);
    EXPECT_FALSE(b.send_pause_frame(0).empty()) << "an XON";
    EXPECT_EQ(credit(), 4_KiB - 256_B * 20) << "what came by PFC stands in the buffer";
    b.poll();
    settle();
    EXPECT_EQ(credit(), 4_KiB);
    pass();
    EXPECT_EQ(a.sent_now(1), "y") << "no pause holds it";
}

TEST_F(CreditLinkTest, AnotherPriorityNeedsNone) {
    settle();
    a.receive(0, "abc", test::to(1, 0));
    pass();
    EXPECT_EQ(a.sent(1), "abc");
}

TEST_F(CreditLinkTest, WhatTheDeviceRefusesConsumesNothing) {
    settle();
    a.receive(0, "abcdefgh", test::to(1));
    while (a.slot() > 0) continue;
    EXPECT_EQ(a.transmit(1, 3), 3U);
    EXPECT_EQ(credit(), 4_KiB - 256_B * 3);
    EXPECT_EQ(a.transmit(1, 0), 0U);
    EXPECT_EQ(credit(), 4_KiB - 256_B * 3);
    EXPECT_EQ(a.transmit(1), 5U);
    EXPECT_EQ(a.sent(1), "abcdefgh");
    EXPECT_EQ(credit(), 4_KiB - 256_B * 8);
}

// Frames and updates are lost, the last update among them.
TEST_F(CreditLinkTest, WhatIsLostComesBackWithTheRefresh) {
    settle();
    a.receive(0, "abcdefghijklmnop", test::to(1));
    while (a.slot() > 0) continue;
    a.ports.on_sent = {};
    a.transmit(1);
    EXPECT_EQ(credit(), 0_B);
    wait(1_ms);
    EXPECT_FALSE(a.send_credit_update(1).empty());
    EXPECT_FALSE(b.send_credit_update(0).empty());
    settle();
    EXPECT_EQ(credit(), 0_B);
    wait(1_ms);
    settle();
    EXPECT_EQ(credit(), 4_KiB);
    EXPECT_TRUE(a.at_rest());
}

TEST_F(CreditLinkTest, ALossOfTheLinkLosesNoCredit) {
    settle();
    a.receive(0, "abcdefghijklmnop", test::to(1));
    pass();
    lose_link_for(5_ms);
    EXPECT_EQ(state_of_a(), CreditState::waits);
    EXPECT_EQ(state_of_b(), CreditState::waits);
    settle();
    EXPECT_EQ(credit(), 0_B) << "they still stand at b";
    a.receive(0, "qrs", test::to(1));
    pass();
    EXPECT_EQ(a.sent(1), "abcdefghijklmnop");
    b.poll();
    settle();
    EXPECT_EQ(credit(), 4_KiB);
    pass();
    EXPECT_EQ(a.sent(1), "abcdefghijklmnopqrs");
}

TEST_F(CreditLinkTest, ASilentPeerIsBelievedNoMore) {
    settle();
    wait(CreditEnd::longest_silence);
    EXPECT_FALSE(a.send_credit_update(1).empty());
    EXPECT_EQ(state_of_a(), CreditState::credit);
    wait(1_ms);
    EXPECT_TRUE(a.send_credit_update(1).empty()) << "a pause goes first";
    EXPECT_FALSE(a.send_credit_update(1).empty()) << "it leaves";
    EXPECT_EQ(state_of_a(), CreditState::waits);
    wait(CreditEnd::longest_hold);
    a.send_credit_update(1);
    EXPECT_EQ(state_of_a(), CreditState::without);
    a.receive(0, std::string(20, 'x'), test::to(1));
    pass();
    EXPECT_EQ(a.sent(1), std::string(20, 'x')) << "by PFC";
}

TEST_F(CreditLinkTest, WhoSendsWithoutCreditPausesNobodyAndIsDropped) {
    settle();
    for (int burst = 0; burst < 20; ++burst) b.receive(0, std::string(32, 'x'), test::to(1));
    EXPECT_EQ(b.drops(0, Drop::headroom_overrun), 0U);
    EXPECT_TRUE(b.send_pause_frame(0).empty());
    EXPECT_GT(b.drops(0, Drop::no_credit), 100U);
    b.run();
    EXPECT_TRUE(b.at_rest());
}

TEST_F(CreditLinkTest, APauseIsNotObeyed) {
    settle();
    a.receive(1, {test::octets_of(test::pause_of(test::three, 1000))});
    EXPECT_EQ(a.drops(1, Drop::mac_control), 1U);
    a.receive(0, "a", test::to(1));
    pass();
    EXPECT_EQ(a.sent(1), "a");
}

TEST_F(CreditLinkTest, WhatItCountsMayBeSeen) {
    settle();
    a.receive(0, std::string(20, 'x'), test::to(1));
    pass();
    wait(1_ms);
    update(a, 1, b, 0);
    wait(1_ms);
    update(a, 1, b, 0);
    update(b, 0, a, 1);
    const CreditWatch& of_a = a.dataplane.credit(1);
    const CreditWatch& of_b = b.dataplane.credit(0);
    EXPECT_EQ(of_a.channel(3).blocked.value(), 1'000'000U);
    EXPECT_EQ(of_a.channel(3).limit.value(), of_a.channel(3).consumed.value());
    EXPECT_EQ(of_b.channel(3).occupied.value(), 4096U);
    EXPECT_EQ(of_b.updates_received(), of_a.updates_sent());
    EXPECT_EQ(of_b.updates_lost(), 0U);
    wait(1_ms);
    a.send_credit_update(1);  // and it is lost
    wait(1_ms);
    update(a, 1, b, 0);
    update(b, 0, a, 1);
    EXPECT_EQ(of_b.updates_lost(), 1U);
}

TEST_F(CreditLinkTest, ATraceSaysWhoWaitedForCreditAndForHowLong) {
    settle();
    a.receive(0, std::string(16, 'x'), test::to(1));
    pass();
    wait(1_ms);
    update(a, 1, b, 0);
    const CreditWatch& of_a = a.dataplane.credit(1);
    EXPECT_TRUE(of_a.withholds(3)) << "the next would wait";
    EXPECT_FALSE(of_a.withholds(0));
    const TraceFilter of_three{.priority = 3, .frames = most_traced_frames};
    Traced at_a(a, of_three);
    Traced at_b(b, of_three);
    a.receive(0, "y", test::to(1));
    pass();
    for (int time = 0; time < 3; ++time) {
        wait(1_ms);
        update(a, 1, b, 0);
    }
    b.poll();
    settle();
    pass();
    b.run();
    const auto sent = at_a.frames();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_TRUE(sent[0].copy().withheld && sent[0].closed());
    EXPECT_EQ(sent[0].copy().blocked_in_all, 2_ms);
    EXPECT_FALSE(sent[0].copy().paused || sent[0].copy().found.by_credit);
    const auto came = at_b.frames();
    ASSERT_EQ(came.size(), 1U);
    EXPECT_TRUE(came[0].copy().found.by_credit);
    EXPECT_FALSE(came[0].copy().withheld);
    a.dataplane.set_link(1, false);
    housekeep();
    a.dataplane.set_link(1, true);
    housekeep();
    EXPECT_TRUE(of_a.withholds(3)) << "until a session begins";
}

// Neither its reserve nor its headroom would hold as much.
class InBothParts : public CreditLinkTest {
  protected:
    InBothParts() : CreditLinkTest(credit_settings(1), credit_settings(0, 2_KiB)) {}
};

TEST_F(InBothParts, WhatCameOnCreditHasAPlace) {
    settle();
    a.receive(0, std::string(20, 'x'), test::to(1));
    pass();
    EXPECT_EQ(held_by_b(), 4_KiB);
    EXPECT_GT(b.dataplane.ingress(0).group(3).headroom(), 0_B);
    EXPECT_EQ(b.dataplane.pool().used(), 0_B) << "what others share is not touched";
    EXPECT_EQ(b.drops(0, Drop::no_credit), 0U);
}

class TakingTurns : public CreditLinkTest {
  protected:
    TakingTurns() : CreditLinkTest(in_turns()) {}
    static Settings in_turns() {
        Settings settings = credit_settings(1);
        settings.ports[1].scheduler.discipline.fill(Discipline::dwrr);
        return settings;
    }
};

TEST_F(TakingTurns, WhatTheDeviceRefusesConsumesNothing) {
    settle();
    a.receive(0, "abcdefgh", test::to(1));
    while (a.slot() > 0) continue;
    EXPECT_EQ(a.transmit(1, 3), 3U);
    EXPECT_EQ(credit(), 4_KiB - 256_B * 3);
    EXPECT_EQ(a.transmit(1), 5U);
    EXPECT_EQ(a.sent(1), "abcdefgh");
    EXPECT_EQ(credit(), 4_KiB - 256_B * 8);
}

// A priority without credit leaves the wire to the others.
TEST_F(TakingTurns, AnotherPriorityGoesOn) {
    settle();
    a.receive(0, std::string(20, 'x'), test::to(1));
    a.receive(0, "abc", test::to(1, 0));
    pass();
    EXPECT_EQ(a.departures(1).size(), 16U + 3U);
}

}  // namespace
}  // namespace sluice
