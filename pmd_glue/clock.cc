#include "pmd_glue/clock.h"

#include <rte_cycles.h>
#include <ctime>

namespace sluice::pmd {
namespace {

__extension__ using Wide = unsigned __int128;

struct Moment {
    uint64_t ticks = 0;
    int64_t nanos = 0;
};

int64_t monotonic() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Reads both clocks at nearly the same time: keeps the try with the shortest gap.
Moment both_clocks() {
    Moment best;
    uint64_t narrowest = UINT64_MAX;
    for (int attempt = 0; attempt < 16; ++attempt) {
        const uint64_t before = rte_rdtsc();
        const int64_t nanos = monotonic();
        const uint64_t width = rte_rdtsc() - before;
        if (width >= narrowest) continue;
        narrowest = width;
        best = {before + width / 2, nanos};
    }
    return best;
}

}  // namespace

Clock Clock::calibrated() {
    const Moment start = both_clocks();
    for (timespec pause{0, 20'000'000}; ::nanosleep(&pause, &pause) != 0;) {
    }
    const Moment end = both_clocks();
    const auto nanos = static_cast<uint64_t>(end.nanos - start.nanos);
    return {start.ticks, static_cast<uint64_t>((Wide{nanos} << 32) / (end.ticks - start.ticks))};
}

Nanos Clock::now() const {
    const uint64_t ticks = rte_rdtsc() - start_;
    return Nanos(static_cast<int64_t>((Wide{ticks} * multiplier_) >> 32));
}

}  // namespace sluice::pmd
