// Link-level retry and the pauses of its peer, on a cable that loses (tests/support/retry_link.h).
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/pauses.h"
#include "tests/support/retry_link.h"

namespace sluice {
namespace {

using namespace test;

constexpr uint16_t longest_quanta = 0xFFFF;  // 168 turns at 10G

Settings retry_and_data_age(PortIndex port, const WatchdogSettings& watchdog = {}) {
    Settings settings = retry_settings(port);
    settings.ports[port].retry.data_age = Nanos(2'000'000);  // 100 turns
    settings.ports[port].retry.replay_count_max = 2;
    settings.ports[port].pfc.watchdog = watchdog;
    return settings;
}

// 100 frames are lost, and the next one reports the gap to b: retransmissions go until b pauses a.
class RetryUnderPause : public testing::Test {
  protected:
    explicit RetryUnderPause(const WatchdogSettings& watchdog = {})
        : link(retry_and_data_age(1, watchdog), retry_settings(0)) {
        link.turn(3);
        link.loses = is_numbered;
        for (int n = 0; n < 4; ++n) {
            link.send(25);
            link.turn();
        }
        link.turn();
        link.loses = [](const Octets&) { return false; };
        link.send(1);
        link.turn(3);  // by when a burst has gone again, which is lost
        link.loses = is_numbered;
        pause(longest_quanta);
    }
    void pause(uint16_t quanta) { link.a.ports.arrive(1, {octets_of(pause_of(three, quanta))}); }
    // Returns the number of retransmissions.
    [[nodiscard]] uint64_t replayed() { return link.end_of_a().sender().counts().replayed; }

    RetryLink link;
};

TEST_F(RetryUnderPause, NothingThatIsPausedGoesAgain) {
    ASSERT_EQ(replayed(), max_burst);
    link.turn(150);
    EXPECT_EQ(replayed(), max_burst);
    EXPECT_EQ(link.end_of_a().sender().state(), RetrySender::State::replay);
    EXPECT_EQ(link.end_of_a().tally().given_up, 0U) << "data_age is over, but for the pause";
    pause(0);
    link.loses = [](const Octets&) { return false; };
    link.turn(2);
    EXPECT_EQ(replayed(), 101U) << "and the oldest, whose timer ended";
    link.turn(10);
    EXPECT_EQ(link.delivered().size(), 101U);
}

TEST_F(RetryUnderPause, GoesAgainOnceItsQuantaAreOver) {
    link.turn();
    link.loses = [](const Octets&) { return false; };
    link.turn(150);
    EXPECT_EQ(replayed(), max_burst);
    link.turn(25);
    EXPECT_EQ(replayed(), 101U + max_burst) << "and once more what was lost again";
}

TEST_F(RetryUnderPause, SignalsAreNotHeld) {
    link.loses = [](const Octets&) { return false; };
    link.turn();
    const uint64_t acks = link.end_of_a().receiver().counts().acks;
    for (int n = 0; n < 3; ++n) link.b.ports.arrive(1, {octets_of(to(0, 3, 1))});
    link.turn(5);
    EXPECT_GT(link.end_of_a().receiver().counts().acks, acks);
    EXPECT_EQ(link.end_of_b().sender().kept(), 0U);
}

class RetryInAStorm : public RetryUnderPause {
  protected:
    static constexpr uint64_t kept = 101;

    RetryInAStorm()
        : RetryUnderPause({.action = WatchdogAction::drop,
                           .detection = Nanos(1'000'000),
                           .poll = Nanos(1'000'000)}) {}
};

TEST_F(RetryInAStorm, WhatTheWatchdogDropsIsGivenUp) {
    for (int n = 0; n < 20; ++n) {
        pause(longest_quanta);
        link.send(1);
        link.turn(10);
    }
    EXPECT_EQ(link.end_of_a().tally().given_up, kept);
    EXPECT_EQ(link.end_of_a().sender().kept(), 0U);
}

// No frame waits in the queue, but retransmissions hold the other priorities up.
TEST_F(RetryInAStorm, FramesThatAreToGoAgainCountAsThoseThatWait) {
    for (int n = 0; n < 20; ++n) {
        pause(longest_quanta);
        link.turn(10);
    }
    EXPECT_EQ(link.a.dataplane.egress(1).discarding(), three);
    EXPECT_EQ(link.end_of_a().tally().given_up, kept);
    EXPECT_EQ(link.end_of_a().sender().kept(), 0U);
}

// Port 1 of a is a tunnel by port 2, whose peer pauses.
class RetryOfATunnel : public testing::Test {
  protected:
    explicit RetryOfATunnel(const WatchdogSettings& below = {})
        : link(over_port_2(below), retry_settings(0)) {
        link.turn(3);
        link.loses = is_numbered;
        link.send(25);
        link.turn(47);
    }
    static Settings over_port_2(const WatchdogSettings& below) {
        Settings settings = lossless_settings(3);
        settings.ports[1].retry = retry_and_data_age(1).ports[1].retry;
        settings.ports[1].underlay = 2;
        settings.ports[2].pfc.watchdog = below;
        return settings;
    }
    void pause(uint16_t quanta) { link.a.ports.arrive(2, {octets_of(pause_of(three, quanta))}); }
    [[nodiscard]] uint64_t replayed() { return link.end_of_a().sender().counts().replayed; }

    RetryLink link;
};

TEST_F(RetryOfATunnel, NothingThatIsPausedBelowGoesAgain) {
    pause(longest_quanta);
    link.turn(150);
    EXPECT_EQ(replayed(), 0U);
    EXPECT_EQ(link.end_of_a().tally().given_up, 0U) << "data_age is over, but for the pause";
    link.loses = [](const Octets&) { return false; };
    pause(0);
    link.turn(60);
    EXPECT_EQ(link.delivered().size(), 25U);
}

class RetryOfATunnelInAStorm : public RetryOfATunnel {
  protected:
    RetryOfATunnelInAStorm()
        : RetryOfATunnel({.action = WatchdogAction::drop,
                          .detection = Nanos(1'000'000),
                          .poll = Nanos(1'000'000)}) {}
};

// No other frame waits for the port below.
TEST_F(RetryOfATunnelInAStorm, FramesThatAreToGoAgainCountAsThoseThatWaitBelow) {
    pause(longest_quanta);
    for (int n = 0; n < 20; ++n) {
        pause(longest_quanta);
        link.turn(10);
    }
    EXPECT_EQ(link.a.dataplane.egress(2).discarding(), three);
    EXPECT_GT(replayed(), 0U) << "what the watchdog gives up on holds no tunnel";
}

}  // namespace
}  // namespace sluice
