// WaitHistogram: counts the times of frames in buckets, by priority. Each doubling has four
// buckets, as in HdrHistogram, so the upper bound of a bucket, which is shown, is at most a quarter
// too long.
// Bound: 106 words a priority, from 256 ns to 17 s; one bucket each for shorter and for longer
// times. One writer; a concurrent reader gets valid values, possibly of different moments.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

class WaitHistogram {
  public:
    static constexpr int shortest_bit = 8;  // times below this power of two, in ns, share a bucket
    static constexpr int longest_bit = 34;  // times from this power of two on share a bucket
    static constexpr std::size_t buckets = 4 * (longest_bit - shortest_bit) + 2;
    static constexpr uint64_t no_bound = std::numeric_limits<uint64_t>::max();

    static constexpr std::size_t bucket_of(uint64_t nanos) {
        const int bit = static_cast<int>(std::bit_width(nanos)) - 1;
        if (bit < shortest_bit) return 0;
        if (bit >= longest_bit) return buckets - 1;
        const auto quarter = static_cast<std::size_t>(nanos >> (bit - 2) & 3);
        return 1 + 4 * static_cast<std::size_t>(bit - shortest_bit) + quarter;
    }
    // Returns the bound of a bucket: all times in it are shorter.
    static constexpr uint64_t bound_of(std::size_t bucket) {
        assert(bucket < buckets);
        if (bucket == 0) return uint64_t{1} << shortest_bit;
        if (bucket == buckets - 1) return no_bound;
        const std::size_t quarters = 4 + (bucket - 1) % 4 + 1;
        return uint64_t{quarters} << (shortest_bit - 2 + (bucket - 1) / 4);
    }

    void add(Priority priority, Nanos wait) {
        assert(priority < max_priorities);
        Row& row = rows_[priority];
        const auto nanos = static_cast<uint64_t>(std::max<int64_t>(wait.count(), 0));
        row.frames[bucket_of(nanos)].add(1);
        row.sum.add(nanos);
        row.longest.raise_to(nanos);
    }
    void clear_watermark() {
        for (Row& row : rows_) row.longest.set(0);
    }

    [[nodiscard]] uint64_t frames(Priority priority, std::size_t bucket) const {
        return rows_[priority].frames[bucket].value();
    }
    [[nodiscard]] uint64_t sum(Priority priority) const { return rows_[priority].sum.value(); }
    [[nodiscard]] uint64_t longest(Priority priority) const {
        return rows_[priority].longest.value();
    }

  private:
    struct Row {
        std::array<Counter, buckets> frames;
        Counter sum;      // sum in ns
        Counter longest;  // maximum in ns
    };
    std::array<Row, max_priorities> rows_;
};

}  // namespace sluice
