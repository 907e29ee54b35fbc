// Credits between egress and ingress, with the figures of notes on flow control.
#include "tools/sim/credits/grants.h"

#include <gtest/gtest.h>

namespace sluice::sim {
namespace {

TEST(Grants, BySliceAPortAloneInItsSliceGetsHalf) {
    const GrantOutcome outcome = simulate(GrantSettings{.policy = GrantPolicy::slice});
    ASSERT_EQ(outcome.shares.size(), 3U);
    EXPECT_NEAR(outcome.shares[0], 0.25, 0.001);
    EXPECT_NEAR(outcome.shares[1], 0.25, 0.001);
    EXPECT_NEAR(outcome.shares[2], 0.5, 0.001);
}

TEST(Grants, ByPortAllGetTheSame) {
    const GrantOutcome outcome = simulate(GrantSettings{.policy = GrantPolicy::port});
    for (const double share : outcome.shares) EXPECT_NEAR(share, 1.0 / 3, 0.001);
}

TEST(Grants, APortIsBusyAndItsBufferNeverOverrun) {
    const GrantSettings settings;
    EXPECT_EQ(one_bdp(settings), Bytes(40'000));
    const GrantOutcome outcome = simulate(settings);
    EXPECT_GT(outcome.utilisation, 0.999);
    EXPECT_LE(outcome.most_outstanding, buffer_for(settings));
    EXPECT_LE(outcome.most_buffered, buffer_for(settings));
}

TEST(Grants, HalfABdpOfBufferIsHalfTheThroughput) {
    const GrantSettings settings{.buffer = Bytes(20'000)};
    EXPECT_NEAR(simulate(settings).utilisation, 0.5, 0.02);
}

// Data granted before the port stops still arrives.
TEST(Grants, AllThatIsOutstandingComesToAPortThatStops) {
    GrantSettings settings{.stops_at = Picos(50'000'000)};
    const GrantOutcome outcome = simulate(settings);
    EXPECT_NEAR(static_cast<double>(outcome.most_buffered.count()), 40'000, 1000);
    EXPECT_LE(outcome.most_buffered, outcome.buffer);
    EXPECT_GT(outcome.utilisation, 0.999) << "until then";
}

TEST(Grants, ACreditEveryTwoNanosecondsOfTooFewOctetsStarves) {
    const auto busy = [](int64_t quantum, unsigned ports) {
        return simulate(GrantSettings{.egress_ports = ports,
                                      .quantum = Bytes(quantum),
                                      .time = Picos(30'000'000)})
            .utilisation;
    };
    EXPECT_GT(busy(100, 1), 0.999);
    EXPECT_NEAR(busy(99, 1), 0.99, 0.002);
    EXPECT_NEAR(busy(50, 1), 0.5, 0.002);
    EXPECT_GT(busy(1800, 18), 0.999);
    EXPECT_NEAR(busy(1782, 18), 0.99, 0.003);
}

TEST(Grants, TheFabricCarriesNoMoreThanItsSpeedUp) {
    GrantSettings settings{.speed_up_1000 = 500, .buffer = Bytes(1'000'000)};
    const GrantOutcome outcome = simulate(settings);
    EXPECT_NEAR(outcome.utilisation, 0.5, 0.002);
    EXPECT_NEAR(outcome.fabric_load, 1, 0.003);
}

}  // namespace
}  // namespace sluice::sim
