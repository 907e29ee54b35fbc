#include "tools/sim/retry/retry_link.h"

#include <gtest/gtest.h>

#include <vector>

#include "tools/sim/retry/lossy_wire.h"

namespace sluice::sim {
namespace {

RetryLinkSettings link_of(LinkRecovery recovery, double loss) {
    RetryLinkSettings settings{.recovery = recovery, .slots = 300'000};
    settings.faults.loss = loss;
    return settings;
}

// Slots in which a wire of 3 slots brings each of so many numbers, one put a slot.
std::vector<std::pair<uint64_t, int>> carried(LossyWire<int>& wire, int count) {
    std::vector<std::pair<uint64_t, int>> arrivals;
    for (uint64_t slot = 0; slot < static_cast<uint64_t>(count) + 5; ++slot) {
        for (const auto& arrival : wire.take(slot)) {
            arrivals.emplace_back(slot, arrival.is_damaged ? -arrival.item : arrival.item);
        }
        if (slot < static_cast<uint64_t>(count)) wire.put(slot, static_cast<int>(slot) + 1);
    }
    return arrivals;
}

TEST(LossyWire, CarriesEachForItsDelay) {
    LossyWire<int> wire(3, {}, 1);
    EXPECT_EQ(carried(wire, 3), (std::vector<std::pair<uint64_t, int>>{{3, 1}, {4, 2}, {5, 3}}));
}

TEST(LossyWire, LosesByList) {
    WireFaults faults;
    faults.list = {0, 2};
    LossyWire<int> seen(3, faults, 1);
    EXPECT_EQ(carried(seen, 3), (std::vector<std::pair<uint64_t, int>>{{3, -1}, {4, 2}, {5, -3}}));
    faults.is_damage_seen = false;
    LossyWire<int> gone(3, faults, 1);
    EXPECT_EQ(carried(gone, 3), (std::vector<std::pair<uint64_t, int>>{{4, 2}}));
    EXPECT_EQ(gone.lost(), 2U);
}

TEST(LossyWire, DoublesAndReorders) {
    LossyWire<int> doubling(3, {.doubled = 1}, 1);
    EXPECT_EQ(carried(doubling, 1), (std::vector<std::pair<uint64_t, int>>{{3, 1}, {4, 1}}));
    LossyWire<int> late(3, {.out_of_order = 0.2}, 1);
    int before = 0;
    int overtaken = 0;
    for (const auto& [slot, number] : carried(late, 10'000)) {
        overtaken += number < before ? 1 : 0;
        before = number;
    }
    EXPECT_GT(overtaken, 1000);
}

TEST(LossyWire, LosesAsOftenInBurstsAsByEach) {
    for (const double burst : {1.0, 10.0}) {
        LossyWire<int> wire(3, {.loss = 0.02, .burst = burst}, 1);
        int runs = 0;
        int before = 0;
        for (const auto& [slot, number] : carried(wire, 500'000)) {
            runs += number < 0 && before > 0 ? 1 : 0;
            before = number;
        }
        EXPECT_NEAR(static_cast<double>(wire.lost()) / 500'000, 0.02, 0.002);
        EXPECT_NEAR(static_cast<double>(wire.lost()) / runs, burst, burst * 0.1);
    }
}

class RetryLink : public testing::TestWithParam<LinkRecovery> {};

INSTANTIATE_TEST_SUITE_P(ByWhatThereIs, RetryLink,
                         testing::Values(LinkRecovery::pfc, LinkRecovery::retry,
                                         LinkRecovery::selective, LinkRecovery::credit,
                                         LinkRecovery::cbfc, LinkRecovery::cbfc_alone,
                                         LinkRecovery::end_to_end));

TEST_P(RetryLink, CarriesAllWhereNothingIsLost) {
    RetryLinkSettings settings = link_of(GetParam(), 0);
    settings.links = 3;
    const auto outcome = simulate(settings);
    EXPECT_NEAR(outcome.goodput, settings.offered, 0.005);
    EXPECT_EQ(outcome.lost + outcome.doubled + outcome.overflowed + outcome.cells_again, 0U);
}

TEST_P(RetryLink, LosesNothingButWithoutRetry) {
    for (const double burst : {1.0, 8.0}) {
        RetryLinkSettings settings = link_of(GetParam(), 1e-3);
        settings.links = 3;
        settings.faults.burst = burst;
        settings.faults.doubled = 1e-3;
        settings.faults.out_of_order = 1e-3;
        const auto outcome = simulate(settings);
        const bool has_retry =
            GetParam() != LinkRecovery::pfc && GetParam() != LinkRecovery::cbfc_alone;
        EXPECT_EQ(outcome.lost + outcome.doubled + outcome.out_of_order > 0, !has_retry);
        EXPECT_EQ(outcome.cells_again > 0, has_retry);
        EXPECT_EQ(outcome.flushes, 0U);
        if (!has_retry) continue;
        EXPECT_EQ(outcome.overflowed, 0U);
        EXPECT_LE(outcome.most_buffered, room_of(settings) * uint64_t{settings.links});
    }
}

TEST_P(RetryLink, IsTheSameWithTheSameSeed) {
    const RetryLinkSettings settings = link_of(GetParam(), 1e-3);
    EXPECT_EQ(simulate(settings).mean_delay, simulate(settings).mean_delay);
    RetryLinkSettings other = settings;
    other.seed = 2;
    EXPECT_NE(simulate(settings).mean_delay, simulate(other).mean_delay);
}

// A cell that vanished is missed once the next cell comes, or its timer has run out.
TEST(RetryLinkTest, SendsAgainWhatVanished) {
    RetryLinkSettings settings = link_of(LinkRecovery::retry, 1e-3);
    settings.faults.is_damage_seen = false;
    settings.offered = 0.05;
    settings.stall_every = 0;
    const auto vanished = simulate(settings);
    EXPECT_EQ(vanished.lost, 0U);
    EXPECT_NEAR(vanished.goodput, settings.offered, 0.002);
    settings.faults.is_damage_seen = true;
    EXPECT_GT(vanished.mean_delay, simulate(settings).mean_delay);
}

TEST(RetryLinkTest, GivesUpWhereItMay) {
    RetryLinkSettings settings = link_of(LinkRecovery::credit, 0.1);
    settings.replays = 1;
    const auto outcome = simulate(settings);
    EXPECT_GT(outcome.flushes, 0U);
    EXPECT_GT(outcome.lost, 0U);
    EXPECT_EQ(outcome.doubled + outcome.out_of_order + outcome.overflowed, 0U);
    EXPECT_GT(outcome.goodput, 0.02) << "and goes on";
}

TEST(RetryLinkTest, WaitsAsTheFormulaSays) {
    for (const double loss : {1e-4, 1e-3}) {
        for (const double offered : {0.3, 0.6}) {
            RetryLinkSettings settings = link_of(LinkRecovery::retry, loss);
            settings.offered = offered;
            settings.stall_every = 0;
            settings.one_way = true;
            settings.slots = 3'000'000;
            const auto formula = mean_delay_by_formula(settings);
            ASSERT_TRUE(formula);
            EXPECT_NEAR(simulate(settings).mean_delay, *formula, 0.01 * *formula);
        }
    }
    RetryLinkSettings overloaded = link_of(LinkRecovery::retry, 0.1);
    EXPECT_FALSE(mean_delay_by_formula(overloaded)) << "a loop for each loss is more than there is";
}

class CbfcLink : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(ByLoss, CbfcLink, testing::Values(1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 1e-2));

TEST_P(CbfcLink, LosesNothingWithRetry) {
    for (const unsigned vcs : {1U, 8U}) {
        RetryLinkSettings settings = link_of(LinkRecovery::cbfc, GetParam());
        settings.links = 3;
        settings.offered = 0.5;
        settings.cbfc.vcs = vcs;
        const auto outcome = simulate(settings);
        EXPECT_NEAR(outcome.goodput, 0.5, 0.005);
        EXPECT_EQ(outcome.lost + outcome.doubled + outcome.out_of_order, 0U);
        EXPECT_EQ(outcome.overflowed, 0U);
        EXPECT_LE(outcome.most_buffered, room_of(settings));
        EXPECT_EQ(outcome.credits_recovered, 0) << "what is sent again costs nothing more";
        EXPECT_GT(outcome.cc_updates, 0U);
    }
}

// 5 credits a cell: 20 bits go round five times.
TEST(CbfcLinkTest, GoesOnWhereCountersGoRound) {
    RetryLinkSettings settings = link_of(LinkRecovery::cbfc, 1e-3);
    settings.slots = 1'400'000;
    settings.cbfc.overhead = 64;
    settings.cbfc.credit_octets = 64;
    const auto outcome = simulate(settings);
    ASSERT_GT(outcome.delivered * settings.cbfc.need(), 5 * uint64_t{cbfc_counts});
    EXPECT_NEAR(outcome.goodput, settings.offered, 0.005);
    EXPECT_EQ(outcome.lost + outcome.overflowed, 0U);
}

TEST(CbfcLinkTest, CounterStartChangesNothing) {
    RetryLinkSettings settings = link_of(LinkRecovery::cbfc, 1e-3);
    const auto from_zero = simulate(settings);
    settings.cbfc.first_count = cbfc_counts - 100;
    const auto across = simulate(settings);
    EXPECT_EQ(across.delivered, from_zero.delivered);
    EXPECT_EQ(across.mean_delay, from_zero.mean_delay);
}

TEST(CbfcLinkTest, StopsWithoutRetryWhereCreditLeaks) {
    RetryLinkSettings settings = link_of(LinkRecovery::cbfc_alone, 1e-3);
    settings.cbfc.cc_timer = 0;
    settings.slots = 600'000;
    const auto leaks = simulate(settings);
    settings.slots *= 2;
    EXPECT_EQ(simulate(settings).delivered, leaks.delivered) << "all credit is gone";
    EXPECT_LT(leaks.goodput, 0.6 * settings.offered);

    settings.cbfc.cc_timer = CbfcSettings{}.cc_timer;
    const auto heals = simulate(settings);
    EXPECT_NEAR(heals.goodput, settings.offered, 0.005);
    EXPECT_GT(heals.lost, 0U);
    EXPECT_EQ(heals.overflowed + heals.doubled + heals.out_of_order, 0U);
    EXPECT_GT(heals.credits_recovered, 0);
    EXPECT_LE(static_cast<uint64_t>(heals.credits_recovered), heals.lost);
}

// Bursts of 100 slots take updates both ways, several in a row.
TEST(CbfcLinkTest, GoesOnAfterLostUpdates) {
    for (const auto recovery : {LinkRecovery::cbfc, LinkRecovery::cbfc_alone}) {
        for (const unsigned vcs : {1U, 8U, 32U}) {
            RetryLinkSettings settings = link_of(recovery, 0.2);
            settings.links = 2;
            settings.faults.burst = 100;
            settings.faults.is_damage_seen = false;
            settings.cbfc.vcs = vcs;
            const auto half = simulate(settings);
            settings.slots *= 2;
            const auto whole = simulate(settings);
            EXPECT_GT(whole.delivered, half.delivered + half.delivered / 2);
            EXPECT_EQ(whole.overflowed, 0U);
            EXPECT_EQ(whole.lost > 0, recovery == LinkRecovery::cbfc_alone);
        }
    }
}

// Cells that a sender gave up consumed credit, which comes back.
TEST(CbfcLinkTest, RecoversTheCreditOfWhatWasGivenUp) {
    RetryLinkSettings settings = link_of(LinkRecovery::cbfc, 0.1);
    settings.offered = 0.1;
    settings.replays = 1;
    settings.cbfc.cc_timer = 500;
    const auto outcome = simulate(settings);
    EXPECT_GT(outcome.flushes, 0U);
    EXPECT_GT(outcome.credits_recovered, 0);
    EXPECT_EQ(outcome.doubled + outcome.out_of_order + outcome.overflowed, 0U);
    EXPECT_GT(outcome.goodput, 0.02) << "and goes on";
}

TEST(RetryLinkTest, RetryByLinkCostsLessThanEndToEnd) {
    RetryLinkSettings by_link = link_of(LinkRecovery::retry, 1e-3);
    by_link.links = 5;
    by_link.offered = 1;
    RetryLinkSettings end_to_end = by_link;
    end_to_end.recovery = LinkRecovery::end_to_end;
    EXPECT_GT(simulate(by_link).goodput, 1.3 * simulate(end_to_end).goodput);
}

// A round trip of 1,000 cells, of which one in 100 is lost.
TEST(RetryLinkTest, WhereTheReceiverKeepsWhatComesBehindALongLinkStaysBusy) {
    RetryLinkSettings settings = link_of(LinkRecovery::selective, 1e-2);
    settings.delay = 500;
    settings.offered = 1;
    settings.stall_every = 0;
    const auto selective = simulate(settings);
    EXPECT_EQ(selective.lost + selective.doubled + selective.out_of_order, 0U);
    EXPECT_EQ(selective.overflowed, 0U);
    EXPECT_GT(selective.goodput, 0.9);
    EXPECT_GT(selective.most_behind_a_gap, 1000U);
    settings.recovery = LinkRecovery::retry;
    EXPECT_LT(simulate(settings).goodput, 0.2);
}

}  // namespace
}  // namespace sluice::sim
