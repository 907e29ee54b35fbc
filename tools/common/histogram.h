// Histogram: counts durations in buckets whose width grows with the value, like HdrHistogram: each
// power of two is divided into 2^`precision_bits` parts, so a quantile is exact to one such part;
// small values are exact. A value of more than `value_bits` bits counts as the largest value.
//   Histogram      exact to 1/64, and below 128; up to 36 minutes in nanoseconds; 18 KiB
//   FlowHistogram  exact to 1/16, and below 32; up to 17 s; 4 KiB, as each flow has one
// Bound: fixed memory; recording a value is one addition.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sluice {

struct Quantiles {
    uint64_t p50 = 0;
    uint64_t p99 = 0;
    uint64_t p999 = 0;
    uint64_t max = 0;  // exact
    uint64_t min = 0;  // exact
    double mean = 0;
};

template <int precision_bits, int value_bits>
class BasicHistogram {
  public:
    // Records a value `times` times.
    void record(uint64_t value, uint64_t times = 1) {
        value = std::min(value, largest);
        counts_[bucket_of(value)] += times;
        total_ += times;
        max_ = std::max(max_, value);
        min_ = std::min(min_, value);
    }
    void merge(const BasicHistogram& other) {
        for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
            counts_[bucket] += other.counts_[bucket];
        }
        total_ += other.total_;
        max_ = std::max(max_, other.max_);
        min_ = std::min(min_, other.min_);
    }

    [[nodiscard]] uint64_t total() const { return total_; }
    // Both are exact; 0 if no value was recorded.
    [[nodiscard]] uint64_t max() const { return max_; }
    [[nodiscard]] uint64_t min() const { return total_ == 0 ? 0 : min_; }
    // Returns the least value that at least `share` (0 to 1) of the recorded values do not exceed,
    // rounded up to the end of its bucket; 0 if no value was recorded.
    [[nodiscard]] uint64_t quantile(double share) const {
        const auto rank = static_cast<uint64_t>(std::ceil(share * static_cast<double>(total_)));
        uint64_t seen = 0;
        for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
            seen += counts_[bucket];
            if (seen > 0 && seen >= rank) return std::min(last_of(bucket), max_);
        }
        return 0;
    }
    // Returns the mean, accurate to half the width of a bucket; 0 if nothing was recorded.
    [[nodiscard]] double mean() const {
        if (total_ == 0) return 0;
        double sum = 0;
        for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
            const uint64_t first = bucket == 0 ? 0 : last_of(bucket - 1) + 1;
            const double middle = static_cast<double>(first + last_of(bucket)) / 2;
            sum += static_cast<double>(counts_[bucket]) * middle;
        }
        return sum / static_cast<double>(total_);
    }
    [[nodiscard]] Quantiles quantiles() const {
        return {quantile(0.5), quantile(0.99), quantile(0.999), max(), min(), mean()};
    }

  private:
    static constexpr uint64_t part = uint64_t{1} << precision_bits;
    static constexpr uint64_t largest = (uint64_t{1} << value_bits) - 1;
    static constexpr std::size_t buckets = (value_bits - precision_bits + 1) * part;

    // Values below 2 x part have a bucket each; for larger values the `shift` lowest bits are
    // dropped.
    static constexpr std::size_t bucket_of(uint64_t value) {
        const int shift = std::max(static_cast<int>(std::bit_width(value)) - precision_bits - 1, 0);
        return static_cast<std::size_t>(shift) * part + (value >> shift);
    }
    static constexpr uint64_t last_of(std::size_t bucket) {
        if (bucket < 2 * part) return bucket;
        const std::size_t shift = bucket / part - 1;
        return ((bucket - shift * part + 1) << shift) - 1;
    }

    std::array<uint64_t, buckets> counts_{};
    uint64_t total_ = 0;
    uint64_t max_ = 0;
    uint64_t min_ = largest;
};

using Histogram = BasicHistogram<6, 41>;
using FlowHistogram = BasicHistogram<4, 34>;

}  // namespace sluice
