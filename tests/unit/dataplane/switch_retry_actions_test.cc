// What becomes of frames of a link with retry while it has no session (tests/support/retry_link.h).
#include <gtest/gtest.h>

#include <memory>

#include "tests/support/pauses.h"
#include "tests/support/retry_link.h"

namespace sluice {
namespace {

using namespace test;

Settings with_actions(RetryAction init, RetryAction flush) {
    Settings settings = retry_settings(1);
    settings.ports[1].retry.init = init;
    settings.ports[1].retry.flush = flush;
    return settings;
}

class RetryActions : public testing::Test {
  protected:
    void begin(RetryAction init, RetryAction flush = RetryAction::best_effort) {
        link = std::make_unique<RetryLink>(with_actions(init, flush), retry_settings(0));
        link->set_peers(LinkPeer::unknown);
    }
    [[nodiscard]] uint64_t dropped() {
        uint64_t frames = link->a.dataplane.counters(InputIndex(0)).drops.of(why);
        frames += link->a.dataplane.counters(InputIndex(1)).egress_drops.of(why);
        return frames;
    }
    [[nodiscard]] std::size_t arrived() { return link->delivered().size(); }
    // The peer answers no more, until kept frames were sent again often enough.
    void end_session() {
        link->loses = [](const Octets& octets) { return is_of_retry(octets); };
        link->send(2);
        link->turn(50 * (1 + 2 + 4 + 8 + 16 + 32 + 64 + 64 + 64) + 9);  // a timer is 50 turns
        ASSERT_EQ(link->end_of_a().tally().given_up, 2U);
        ASSERT_FALSE(link->end_of_a().is_open());
    }

    static constexpr Drop why = Drop::no_retry_session;
    std::unique_ptr<RetryLink> link;
};

TEST_F(RetryActions, WhatIsBlockedWaitsForTheFirstSession) {
    begin(RetryAction::block);
    link->send(5);
    link->send(2, 0);
    link->turn(20);
    EXPECT_EQ(link->delivered(), (std::vector<uint32_t>{5, 6})) << "lossy ones go";
    link->set_peers(LinkPeer::able);
    link->turn(6);
    EXPECT_EQ(link->delivered(), (std::vector<uint32_t>{5, 6, 0, 1, 2, 3, 4}));
    EXPECT_EQ(link->end_of_a().tally().unnumbered, 0U);
    EXPECT_EQ(link->end_of_a().sender().counts().sent, 5U);
    EXPECT_EQ(dropped(), 0U);
}

TEST_F(RetryActions, WhatIsBlockedPausesWhoSendsIt) {
    begin(RetryAction::block);
    const auto announced = [&] { return link->a.dataplane.ingress(0).pause_sender().announced(); };
    while (announced() == 0 && link->sent < 1000) {
        link->send(4);
        link->turn();
    }
    EXPECT_EQ(announced(), three);
    EXPECT_EQ(arrived(), 0U);
    link->set_peers(LinkPeer::able);
    link->turn(20);
    EXPECT_EQ(arrived(), link->sent);
    EXPECT_EQ(announced(), 0);
}

TEST_F(RetryActions, WhatIsDiscardedIsCounted) {
    begin(RetryAction::discard);
    link->send(40);
    link->send(2, 0);
    link->turn(3);
    EXPECT_EQ(arrived(), 2U);
    EXPECT_EQ(dropped(), 40U);
    link->set_peers(LinkPeer::able);
    link->turn(6);
    link->send(3);
    link->turn(4);
    EXPECT_EQ(arrived(), 5U);
    EXPECT_EQ(dropped(), 40U);
}

TEST_F(RetryActions, NothingWaitsForAPeerThatHasNone) {
    for (const LinkPeer peer : {LinkPeer::unable, LinkPeer::several, LinkPeer::no_lldp}) {
        for (const RetryAction action : {RetryAction::block, RetryAction::discard}) {
            begin(action, action);
            link->set_peers(peer);
            link->send(3);
            link->turn(3);
            EXPECT_EQ(arrived(), 3U);
            EXPECT_EQ(link->end_of_a().tally().unnumbered, 3U);
        }
    }
}

TEST_F(RetryActions, BetweenSessionsIsAnotherOne) {
    begin(RetryAction::best_effort, RetryAction::block);
    link->send(2);
    link->turn(3);
    EXPECT_EQ(arrived(), 2U) << "before the first";
    link->set_peers(LinkPeer::able);
    link->turn(6);
    end_session();
    link->send(3);
    link->turn(20);
    EXPECT_EQ(arrived(), 2U);
    link->loses = [](const Octets&) { return false; };
    link->turn(60);
    EXPECT_EQ(link->delivered(), (std::vector<uint32_t>{0, 1, 4, 5, 6}));
}

TEST_F(RetryActions, ItIsThatOfTheEndFromTheNackOnThatEndedOne) {
    Settings settings = with_actions(RetryAction::best_effort, RetryAction::block);
    settings.ports[1].retry.replay_count_max = 2;
    link = std::make_unique<RetryLink>(settings, retry_settings(0));
    link->set_peers(LinkPeer::able);
    link->turn(6);
    link->loses = [](const Octets& octets) {
        const auto shim = read_retry_shim(octets);
        return shim && shim->kind == RetryKind::data && shim->number == RetrySequence();
    };
    const PortRetry& end = link->end_of_a();
    for (int turn = 0; turn < 300 && end.tally().given_up == 0; ++turn) {
        link->send(1);
        link->turn();
    }
    ASSERT_GT(end.tally().given_up, 0U);
    EXPECT_EQ(end.sender().counts().timeouts, 0U);
    EXPECT_EQ(end.tally().unnumbered, 0U);
}

TEST_F(RetryActions, ALinkThatComesBackIsBeforeItsFirst) {
    begin(RetryAction::discard, RetryAction::block);
    link->set_peers(LinkPeer::able);
    link->turn(6);
    end_session();
    link->a.dataplane.set_link(1, false);
    link->turn(2);
    link->a.dataplane.set_link(1, true);
    link->send(3);
    link->turn(2);
    EXPECT_EQ(dropped(), 3U);
}

TEST_F(RetryActions, ChangeWhileTheSwitchRuns) {
    begin(RetryAction::block);
    link->send(2);
    link->turn(3);
    ASSERT_EQ(arrived(), 0U);
    Settings next = link->a.settings;
    next.ports[1].retry.init = RetryAction::best_effort;
    link->a.dataplane.retries().use(1, next.ports[1].retry);
    link->a.adopt(next);
    link->turn(3);
    EXPECT_EQ(arrived(), 2U);
}

// Port 1 of a is a tunnel by port 2.
TEST_F(RetryActions, APauseOfThePortBelowEndsNoBlock) {
    Settings settings = lossless_settings(3);
    settings.ports[1].retry = with_actions(RetryAction::block, {}).ports[1].retry;
    settings.ports[1].underlay = 2;
    link = std::make_unique<RetryLink>(settings, retry_settings(0));
    link->set_peers(LinkPeer::unknown);
    link->send(3);
    link->turn(2);
    link->a.ports.arrive(2, {octets_of(pause_of(three, 0))});
    link->turn(2);
    EXPECT_EQ(arrived(), 0U);
}

}  // namespace
}  // namespace sluice
