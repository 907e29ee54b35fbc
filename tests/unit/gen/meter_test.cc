#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tools/common/histogram.h"
#include "tools/gen/flow_meter.h"
#include "tools/gen/random.h"

namespace sluice::gen {
namespace {

uint64_t exact_quantile(std::vector<uint64_t> values, double share) {
    std::ranges::sort(values);
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
}

TEST(Histogram, IsRightToOneIn64OverAllSizes) {
    Random random(1);
    std::vector<uint64_t> values;
    Histogram histogram;
    for (int n = 0; n < 100'000; ++n) {
        const auto value = random.next() >> (24 + random.next() % 40);  // 1 to 40 bits
        values.push_back(value);
        histogram.record(value);
    }
    EXPECT_EQ(histogram.total(), values.size());
    EXPECT_EQ(histogram.max(), *std::ranges::max_element(values));
    for (const double share : {0.01, 0.1, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
        const uint64_t exact = exact_quantile(values, share);
        const uint64_t reported = histogram.quantile(share);
        EXPECT_GE(reported, exact) << share;
        EXPECT_LE(reported, exact + exact / 64) << share;
    }
}

TEST(Histogram, OfAFlowIsRightToOneIn16) {
    Random random(2);
    FlowHistogram histogram;
    std::vector<uint64_t> values;
    for (int n = 0; n < 10'000; ++n) {
        values.push_back(random.next() >> (31 + random.next() % 33));  // 1 to 33 bits
        histogram.record(values.back());
    }
    const Quantiles reported = histogram.quantiles();
    for (const auto& [share, quantile] :
         {std::pair(0.5, reported.p50), std::pair(0.99, reported.p99)}) {
        const uint64_t exact = exact_quantile(values, share);
        EXPECT_GE(quantile, exact) << share;
        EXPECT_LE(quantile, exact + exact / 16) << share;
    }
    EXPECT_EQ(reported.max, *std::ranges::max_element(values));
}

TEST(Histogram, IsExactBelow128) {
    Histogram histogram;
    for (uint64_t value = 1; value <= 100; ++value) histogram.record(value);
    EXPECT_EQ(histogram.quantile(0.50), 50U);
    EXPECT_EQ(histogram.quantile(0.99), 99U);
    EXPECT_EQ(histogram.quantile(0.999), 100U);
    EXPECT_EQ(histogram.quantile(0), 1U);
}

TEST(Histogram, IsEmptyAtFirst) { EXPECT_EQ(Histogram().quantile(0.5), 0U); }

TEST(Histogram, KnowsTheLeastExactly) {
    Histogram histogram;
    EXPECT_EQ(histogram.min(), 0U);
    histogram.record(1'000'001);
    histogram.record(1'000'003, 5);
    EXPECT_EQ(histogram.quantiles().min, 1'000'001U);
    Histogram other;
    other.record(999'999);
    histogram.merge(other);
    EXPECT_EQ(histogram.min(), 999'999U);
}

TEST(Histogram, KeepsWhatIsTooLongAtItsEnd) {
    Histogram histogram;
    histogram.record(UINT64_MAX);
    EXPECT_EQ(histogram.quantile(0.5), (uint64_t{1} << 41) - 1);
}

TEST(Histogram, TakesManyThatAreTheSameAtOnce) {
    Histogram histogram;
    histogram.record(5, 99);
    histogram.record(70, 1);
    EXPECT_EQ(histogram.total(), 100U);
    EXPECT_EQ(histogram.quantile(0.99), 5U);
    EXPECT_EQ(histogram.quantile(1), 70U);
}

TEST(Histogram, KnowsTheMean) {
    Histogram histogram;
    EXPECT_EQ(histogram.mean(), 0);
    histogram.record(10, 3);
    histogram.record(50);
    EXPECT_EQ(histogram.mean(), 20) << "exact where values are small";
    Histogram large;
    large.record(1'000'000);
    large.record(3'000'000);
    EXPECT_NEAR(large.mean(), 2'000'000, 2'000'000.0 / 128);
}

TEST(Histogram, Merges) {
    Histogram low;
    Histogram high;
    low.record(1);
    high.record(100);
    high.record(101);
    low.merge(high);
    EXPECT_EQ(low.total(), 3U);
    EXPECT_EQ(low.quantile(0.5), 100U);
    EXPECT_EQ(low.max(), 101U);
}

FlowMeter after(std::vector<uint64_t> sequences) {
    FlowMeter meter;
    for (const uint64_t sequence : sequences) meter.arrived(sequence);
    return meter;
}

TEST(FlowMeter, InOrder) {
    const FlowMeter meter = after({0, 1, 2, 3});
    EXPECT_EQ(meter.delivered(), 4U);
    EXPECT_EQ(meter.reordered(), 0U);
    EXPECT_EQ(meter.duplicates(), 0U);
    EXPECT_EQ(meter.next(), 4U);
}

TEST(FlowMeter, AGapIsNeitherLateNorTwice) {
    const FlowMeter meter = after({0, 1, 5, 6});
    EXPECT_EQ(meter.delivered(), 4U);
    EXPECT_EQ(meter.reordered(), 0U);
    EXPECT_EQ(meter.next(), 7U);
}

TEST(FlowMeter, WhatFillsAGapIsLate) {
    const FlowMeter meter = after({0, 3, 1, 2, 4});
    EXPECT_EQ(meter.delivered(), 5U);
    EXPECT_EQ(meter.reordered(), 2U);
    EXPECT_EQ(meter.duplicates(), 0U);
}

TEST(FlowMeter, TheSecondCopyIsADuplicate) {
    const FlowMeter meter = after({0, 0, 1, 2, 1, 3, 3});
    EXPECT_EQ(meter.delivered(), 4U);
    EXPECT_EQ(meter.duplicates(), 3U);
    EXPECT_EQ(meter.reordered(), 0U);
}

TEST(FlowMeter, AGapLongerThanTheWindowForgetsWhatWasSeen) {
    constexpr uint64_t window = FlowMeter::window;
    // 1 and window + 1 share a place in the window; only the first was seen.
    const FlowMeter meter = after({0, 1, 5 * window, 4 * window + 1, 4 * window + 1});
    EXPECT_EQ(meter.delivered(), 4U);
    EXPECT_EQ(meter.reordered(), 1U);
    EXPECT_EQ(meter.duplicates(), 1U);
}

TEST(FlowMeter, AFlowMayStartAnywhere) {
    const FlowMeter meter = after({100, 99, 100});
    EXPECT_EQ(meter.delivered(), 2U);
    EXPECT_EQ(meter.reordered(), 1U);
    EXPECT_EQ(meter.duplicates(), 1U);
}

// Against sets, for shuffles within the window.
TEST(FlowMeter, TakesManyInARowAtOnce) {
    FlowMeter meter;
    meter.arrived(0, 100);
    meter.arrived(110, 60);  // a gap of ten
    meter.arrived(90, 30);   // ten again, the gap, ten again
    EXPECT_EQ(meter.next(), 170U);
    EXPECT_EQ(meter.delivered(), 170U);
    EXPECT_EQ(meter.reordered(), 10U);
    EXPECT_EQ(meter.duplicates(), 20U);
}

TEST(FlowMeter, AgreesWithABookOfEverythingSeen) {
    Random random(3);
    for (int round = 0; round < 50; ++round) {
        std::vector<uint64_t> order;
        for (uint64_t n = 0; n < 3000; ++n) {
            if (random.next() % 8 == 0) continue;
            order.push_back(n);
            if (random.next() % 16 == 0) order.push_back(n);
        }
        for (std::size_t n = 0; n + 1 < order.size(); ++n) {
            std::swap(order[n], order[std::min(n + random.next() % 40, order.size() - 1)]);
        }
        std::vector<bool> seen(3000);
        uint64_t delivered = 0;
        uint64_t late = 0;
        uint64_t twice = 0;
        uint64_t next = 0;
        FlowMeter meter;
        for (const uint64_t sequence : order) {
            meter.arrived(sequence);
            if (seen[sequence]) {
                ++twice;
                continue;
            }
            seen[sequence] = true;
            ++delivered;
            if (sequence < next) ++late;
            next = std::max(next, sequence + 1);
        }
        EXPECT_EQ(meter.delivered(), delivered);
        EXPECT_EQ(meter.reordered(), late);
        EXPECT_EQ(meter.duplicates(), twice);
    }
}

}  // namespace
}  // namespace sluice::gen
