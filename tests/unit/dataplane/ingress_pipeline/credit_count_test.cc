// What of a burst is counted as come on credit, and when what the peer says is read.
#include "dataplane/ingress_pipeline/credit_count.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "dataplane/ingress/loop_probe.h"
#include "tests/unit/dataplane/credit_link.h"

namespace sluice {
namespace {

using namespace literals;
using test::credit_settings;
using test::CreditLinkTest;
using test::hex;
using test::Octets;

// An update counts the frames that were sent before it.
TEST_F(CreditLinkTest, AnUpdateIsReceivedInItsPlaceWithinTheBurst) {
    settle();
    b.adopt(test::without_bypass(b.settings));  // it is to hold them
    std::vector<Octets> burst;
    a.ports.on_sent = [&](PortIndex, const Frame& frame) {
        burst.emplace_back(frame.data, frame.data + frame.length);
    };
    const auto send = [&](std::string_view names) {
        a.receive(0, names, test::to(1));
        while (a.slot() > 0) continue;
        a.transmit(1);
    };
    send("ab");
    wait(1_ms);
    burst.push_back(a.send_credit_update(1));
    send("c");
    ASSERT_EQ(burst.size(), 4U);
    b.receive(0, burst);
    EXPECT_EQ(held_by_b(), 256_B * 3);
    EXPECT_EQ(b.dataplane.credit(0).lost_octets(), 0U) << "two had come, as it says";
    wait(1_ms);
    update(b, 0, a, 1);
    EXPECT_EQ(credit(), 4_KiB - 256_B * 3) << "and the third since";
}

// Priority 0 uses credit as well: a frame without a priority might be taken for it.
class OfPriority0 : public CreditLinkTest {
  protected:
    OfPriority0() : CreditLinkTest(of(1), of(0)) {}
    static Settings of(PortIndex by_credit) {
        Settings settings = credit_settings(by_credit);
        settings.ports[by_credit].pfc.lossless |= only_priority(0);
        return settings;
    }
    // The octets that b lets a send in all.
    CreditCounts limits() { return b.dataplane.shard_of(0).credit(0).end.receiver().limits(); }
};

TEST_F(OfPriority0, WhatIsWrongInItsHeadersCountsForNothing) {
    settle();
    const CreditCounts before = limits();
    b.receive(
        0, {hex("0200"), hex("020000000101 010000000100 88b5"),
            hex("020000000101 020000000100 8100 0001"), hex("020000000101 020000000100 0800 4500"),
            test::octets_of({.to = MacAddress{0x0180'C200'0003}})});
    EXPECT_EQ(b.drops(0, Drop::runt) + b.drops(0, Drop::group_source) +
                  b.drops(0, Drop::truncated_tag) + b.drops(0, Drop::truncated_ip) +
                  b.drops(0, Drop::reserved_address),
              5U);
    EXPECT_EQ(limits(), before);
    b.receive(0, "a", test::to(1, 0));
    b.run();
    EXPECT_NE(limits(), before) << "while of what is whole the place is free again";
}

// Probes of the loop guard consume nothing, and are not counted.
TEST_F(CreditLinkTest, AProbeOfTheLoopGuardIsNoData) {
    settle();
    Settings settings = test::without_bypass(b.settings);  // it is to hold them
    settings.ports[0].classify.default_priority = 3;
    b.adopt(settings);
    const auto probe = frame_of(LoopProbe{.sender = 77, .port = 1}, test::station(9));
    for (int time = 0; time < 4; ++time) b.receive(0, {Octets(probe.begin(), probe.end())});
    EXPECT_EQ(held_by_b(), 1_KiB) << "it is flooded";
    wait(1_ms);
    update(b, 0, a, 1);
    EXPECT_EQ(credit(), 3_KiB) << "which has no credit for what others take";
    b.run();
    wait(1_ms);
    settle();
    EXPECT_EQ(credit(), 4_KiB);
}

TEST_F(CreditLinkTest, AnUpdateThatDoesNotHoldIsNone) {
    settle();
    Octets octets = stray_update(7, 0);
    std::fill_n(octets.begin() + 24, 4, uint8_t{0});  // its session, which is never 0
    a.receive(1, {octets});
    EXPECT_EQ(a.drops(1, Drop::reserved_address), 1U);
    EXPECT_EQ(state_of_a(), CreditState::credit);
}

}  // namespace
}  // namespace sluice
