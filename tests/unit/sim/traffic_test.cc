#include "tools/sim/fabric/traffic.h"

#include <gtest/gtest.h>

#include <numeric>

namespace sluice::sim {
namespace {

using Shares = std::vector<double>;

void expect_shares(CellPattern pattern, PortIndex input, const Shares& wanted) {
    const Shares shares = shares_of_input(pattern, static_cast<unsigned>(wanted.size()), input);
    ASSERT_EQ(shares.size(), wanted.size());
    for (std::size_t n = 0; n < wanted.size(); ++n) {
        EXPECT_NEAR(shares[n], wanted[n], 1e-12) << name_of(pattern) << " to output " << n;
    }
}

TEST(CellTraffic, EveryPatternIsAsThePapersSay) {
    expect_shares(CellPattern::uniform, 1, {0.25, 0.25, 0.25, 0.25});
    expect_shares(CellPattern::bursty, 1, {0.25, 0.25, 0.25, 0.25});
    expect_shares(CellPattern::diagonal, 3, {1.0 / 3, 0, 0, 2.0 / 3});
    expect_shares(CellPattern::log_diagonal, 1, {1.0 / 15, 8.0 / 15, 4.0 / 15, 2.0 / 15});
    expect_shares(CellPattern::quasi_diagonal, 2, {1.0 / 6, 1.0 / 6, 0.5, 1.0 / 6});
    expect_shares(CellPattern::unbalanced, 0, {0.625, 0.125, 0.125, 0.125});
    expect_shares(CellPattern::hotspot, 2, {0.4, 0.2, 0.2, 0.2});
}

TEST(CellTraffic, EveryPatternHasItsName) {
    for (const PatternName& row : patterns()) {
        EXPECT_EQ(find_pattern(row.name), row.pattern);
        EXPECT_EQ(name_of(row.pattern), row.name);
    }
    EXPECT_EQ(patterns().size(), 7U);
    EXPECT_FALSE(find_pattern("even"));
}

TEST(CellTraffic, NoPortHasMoreThanTheLoadAndSomeOutputHasAllOfIt) {
    for (const PatternName& row : patterns()) {
        for (const unsigned ports : {2U, 3U, 16U, 64U}) {
            Shares outputs(ports, 0.0);
            for (PortIndex input = 0; input < ports; ++input) {
                const double rate = rate_of_input(row.pattern, ports, 0.9);
                EXPECT_LE(rate, 0.9);
                const Shares shares = shares_of_input(row.pattern, ports, input);
                EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-12);
                for (PortIndex n = 0; n < ports; ++n) outputs[n] += rate * shares[n];
            }
            EXPECT_NEAR(*std::max_element(outputs.begin(), outputs.end()), 0.9, 1e-12)
                << row.name << " of " << ports;
        }
    }
}

TEST(CellTraffic, WhatIsDrawnIsWhatWasAskedFor) {
    constexpr unsigned ports = 8;
    constexpr int slots = 200000;
    for (const PatternName& row : patterns()) {
        CellTraffic traffic(row.pattern, ports, 0.8, 4, 9);
        Arrivals arrivals;
        std::array<std::array<int, ports>, ports> came{};
        for (int slot = 0; slot < slots; ++slot) {
            traffic.next_slot(arrivals);
            for_each_port(arrivals.inputs,
                          [&](PortIndex input) { ++came[input][arrivals.output[input]]; });
        }
        for (PortIndex input = 0; input < ports; ++input) {
            const Shares shares = shares_of_input(row.pattern, ports, input);
            for (PortIndex output = 0; output < ports; ++output) {
                const double rate = rate_of_input(row.pattern, ports, 0.8) * shares[output];
                EXPECT_NEAR(static_cast<double>(came[input][output]) / slots, rate, 0.008)
                    << row.name << ' ' << +input << " to " << +output;
            }
        }
    }
}

// A burst has one output; two in a row to the same one read as one, which 64 outputs make rare.
TEST(CellTraffic, BurstsHaveTheirMeanLength) {
    constexpr unsigned ports = 64;
    constexpr double mean = 10;
    CellTraffic traffic(CellPattern::bursty, ports, 0.5, mean, 2);
    Arrivals arrivals;
    Arrivals before;
    int64_t cells = 0;
    int64_t bursts = 0;
    for (int slot = 0; slot < 20000; ++slot) {
        traffic.next_slot(arrivals);
        for_each_port(arrivals.inputs, [&](PortIndex input) {
            ++cells;
            const bool goes_on = (before.inputs & only(input)) != 0 &&
                                 before.output[input] == arrivals.output[input];
            bursts += goes_on ? 0 : 1;
        });
        before = arrivals;
    }
    EXPECT_NEAR(static_cast<double>(cells) / static_cast<double>(bursts), mean, 0.3);
}

TEST(CellTraffic, AtLoadOneACellComesInEverySlot) {
    for (const CellPattern pattern : {CellPattern::uniform, CellPattern::bursty}) {
        CellTraffic traffic(pattern, 4, 1, 16, 1);
        Arrivals arrivals;
        for (int slot = 0; slot < 1000; ++slot) {
            traffic.next_slot(arrivals);
            ASSERT_EQ(arrivals.inputs, 0b1111U);
        }
    }
}

}  // namespace
}  // namespace sluice::sim
