// Link-level retry over a device that is full or refuses a frame, and with few buffers
// (tests/support/retry_link.h).
#include <gtest/gtest.h>

#include "tests/support/retry_link.h"

namespace sluice {
namespace {

using namespace test;

Settings three_ports() {
    Settings settings = lossless_settings(3);
    settings.ports[1].retry = retry_settings(1).ports[1].retry;
    return settings;
}

struct RetryBeforeADevice : testing::Test {
    RetryBeforeADevice() { link.turn(3); }
    [[nodiscard]] uint64_t dropped(Drop why) {
        return link.a.dataplane.counters(InputIndex(1)).egress_drops.of(why);
    }
    void expect_nothing_held() {
        EXPECT_EQ(link.a.ports.held() + link.b.ports.held(), 0U);
        EXPECT_EQ(link.a.ports.misuse() + link.b.ports.misuse(), "");
    }
    RetryLink link{three_ports(), retry_settings(0)};
};

TEST_F(RetryBeforeADevice, AFrameGoesInItsOwnBuffer) {
    link.a.ports.buffers_left = 0;
    link.send(5);
    link.turn(4);
    EXPECT_EQ(link.delivered().size(), 5U);
    EXPECT_EQ(link.a.ports.departures(1).size(), 5U) << "and none that was made for it";
    expect_nothing_held();
}

TEST_F(RetryBeforeADevice, WhatTheDeviceRefusesWaitsAsItWas) {
    link.a.ports.room[1] = 2;
    link.send(5);
    link.turn(3);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(link.end_of_a().sender().counts().sent, 2U);
    link.a.ports.room[1] = SIZE_MAX;
    link.turn(3);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(link.end_of_a().sender().counts().sent, 5U);
    EXPECT_EQ(link.end_of_b().receiver().counts().missing, 0U);
    expect_nothing_held();
}

TEST_F(RetryBeforeADevice, WhatOthersHoldGoesInACopyOrIsDroppedByName) {
    link.a.ports.buffers_left = 1;
    for (int n = 0; n < 2; ++n) {
        link.a.ports.arrive(0, {octets_of(to(9))});  // nobody knows where that is: a flood
        link.turn(4);
    }
    EXPECT_EQ(link.b.ports.departures(1).size(), 1U);
    EXPECT_EQ(link.a.ports.departures(2).size(), 2U);
    EXPECT_EQ(dropped(Drop::no_buffer), 1U);
    expect_nothing_held();
}

// The MTU has no room for the header before a frame.
TEST_F(RetryBeforeADevice, WhatTheDeviceNeverTakesIsDroppedByName) {
    Octets longer = octets_of(to(1));
    longer.resize(100);
    link.a.ports.longest[1] = longer.size();
    link.a.ports.arrive(0, {longer});
    link.send(3);
    link.turn(4);
    EXPECT_EQ(dropped(Drop::too_long_for_interface), 1U);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(link.end_of_a().sender().counts().sent, 3U);
    expect_nothing_held();
}

TEST_F(RetryBeforeADevice, WhatADeviceThatTakesNothingKeepsFromGoingAgainIsGivenUp) {
    link.loses = is_numbered;
    link.send(3);
    link.turn();
    link.a.ports.room[1] = 0;
    link.turn(50 * (1 + 2 + 4 + 8 + 16 + 32 + 64 + 64 + 64) + 9);  // a timer is 50 turns
    EXPECT_EQ(link.end_of_a().tally().given_up, 3U) << "by replay_count_max, which is 8";
    link.loses = [](const Octets&) { return false; };
    link.a.ports.room[1] = SIZE_MAX;
    link.turn(60);
    link.send(2);
    link.turn(4);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{3, 4}));
}

TEST_F(RetryBeforeADevice, WhatItNeverTakesAgainIsGivenUp) {
    link.loses = is_numbered;
    link.send(3);
    link.turn();
    link.a.ports.longest[1] = retry_signal_octets;
    link.turn(60);  // its timer ends
    EXPECT_EQ(link.end_of_a().tally().given_up, 0U) << "a kernel may be short of memory";
    link.a.now += Nanos(200'000'000);
    link.turn();
    EXPECT_EQ(link.end_of_a().tally().given_up, 3U);
    link.loses = [](const Octets&) { return false; };
    link.a.ports.longest[1] = SIZE_MAX;
    link.send(2);
    link.turn(4);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{3, 4}));
}

TEST_F(RetryBeforeADevice, WhatARefusalForAWhileHeldUpArrives) {
    link.loses = is_numbered;
    link.send(3);
    link.turn();
    link.a.ports.longest[1] = retry_signal_octets;
    link.turn(60);
    link.loses = [](const Octets&) { return false; };
    link.a.ports.longest[1] = SIZE_MAX;
    link.send(1);
    link.turn(200);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(link.end_of_a().tally().given_up, 0U);
}

TEST_F(RetryBeforeADevice, WhatRetryHeldGoesOnceItIsTakenAway) {
    link.loses = is_numbered;
    link.send(3);
    link.turn(60);  // they are to go again, and nothing else does
    link.a.dataplane.retries().use(1, {});
    link.loses = [](const Octets&) { return false; };
    link.send(2);
    link.turn(4);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{3, 4}));
}

TEST_F(RetryBeforeADevice, APriorityThatThePeerOffersNoMoreOvertakesNothing) {
    link.a.dataplane.retries().set_peer(1, LinkPeer::able, only_priority(4));
    link.turn(3);
    link.loses = is_numbered;
    link.send(2, 4);
    link.turn(2);
    link.a.dataplane.retries().set_peer(1, LinkPeer::unknown, 0);
    link.loses = [](const Octets&) { return false; };
    link.send(1, 4);
    link.turn(60);
    EXPECT_EQ(link.delivered(), (std::vector<uint32_t>{0, 1, 2}));
}

}  // namespace
}  // namespace sluice
