// Explicit rates: what a receiver names, and what its senders come to.
#include "tools/sim/network/congestion/explicit_rate.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/sim/scenario_of.h"

namespace sluice::sim {
namespace {

constexpr BitsPerSecond giga{1'000'000'000};
constexpr Picos us{1'000'000};
constexpr ExplicitRateSettings half{.share_65536 = 32'768, .memory = Nanos(100'000)};

TEST(RateAdvisorTest, TheShareIsDividedByTheFlowsThatSendNow) {
    RateAdvisor advisor(half, giga * 10);
    EXPECT_EQ(advisor.advise(1, Picos(0), us), giga * 5);
    EXPECT_EQ(advisor.advise(1, Picos(0), us * 2), giga * 5);
    EXPECT_EQ(advisor.advise(2, Picos(0), us * 3), giga * 5 / 2);
    EXPECT_EQ(advisor.advise(1, Picos(0), us * 101), giga * 5 / 2) << "the second sent lately";
    EXPECT_EQ(advisor.advise(1, Picos(0), us * 201), giga * 5) << "and is gone";
    EXPECT_EQ(advisor.advise(1, Picos(0), us * 501), giga * 5);
}

TEST(RateAdvisorTest, WhatWaitsIsToBeTakenInTheTimeThatItRemembers) {
    RateAdvisor advisor(half, giga * 10);
    EXPECT_EQ(advisor.advise(1, us * 50, us), giga * 5 / 2);
    EXPECT_EQ(advisor.advise(1, us * 100, us), BitsPerSecond(10'000'000)) << "the least";
    EXPECT_EQ(advisor.advise(1, us * 900, us), BitsPerSecond(10'000'000));
}

TEST(ExplicitRateTest, ASenderPutsWhatIsNamedInPlaceOfItsRate) {
    ExplicitRate sender({.initial = giga}, giga * 10);
    EXPECT_EQ(sender.rate(), giga);
    sender.acknowledged({.rate = giga * 4}, us);
    EXPECT_EQ(sender.rate(), giga * 4);
    sender.acknowledged({}, us);
    EXPECT_EQ(sender.rate(), giga * 4) << "nothing named";
    sender.acknowledged({.rate = giga * 40}, us);
    EXPECT_EQ(sender.rate(), giga * 10) << "its wire";
    sender.sent(Bytes(1230), us);  // 1250 octets of the wire
    EXPECT_EQ(sender.ready_at(Bytes(1230), us), us * 2);
}

NetworkResult four_to_one(const std::string& receiver) {
    return test::run(R"(
run: {time: 3ms, warmup: 1ms}
cable: {speed: 40G, length: 100m}
topology: {star: {hosts: 5}}
switch: {defaults: {lossless: [3], pfc: {xoff: 1MiB, xon: 768KiB}}}
peers:
  - {hosts: all, rate_control: explicit_rate}
)" + receiver + R"(flows:
  - {from: [h1, h2], to: h0, priority: 3}
  - {from: [h3, h4], to: h0, priority: 3, start: 500us}
)");
}

TEST(ExplicitRateTest, SendersGetWhatTheReceiverTakesInEqualParts) {
    for (const bool slow : {false, true}) {
        const NetworkResult result = four_to_one(
            slow ? "  - {hosts: h0, receive: {rate: 10G, buffer: 1MiB, high: 512KiB}}\n" : "");
        const double all = result.flows[0].throughput + result.flows[1].throughput;
        EXPECT_NEAR(all, 0.95 * (slow ? 10e9 : 40e9), (slow ? 10e9 : 40e9) * 0.04);
        EXPECT_NEAR(result.flows[0].throughput / result.flows[1].throughput, 1, 0.02);
        for (const FlowResult& flow : result.flows) {
            EXPECT_EQ(flow.lost, 0U);
            EXPECT_LT(flow.p99_delay_ns, 20'000U) << "nothing waits";
        }
    }
}

}  // namespace
}  // namespace sluice::sim
