// CalcLink: computes the octets that a link carries in a time, and the time that octets take.
//
// Octets are rounded up, since a reserve must suffice; times are in nanoseconds with fractions,
// since an octet at 400 Gb/s takes a fiftieth of a nanosecond.
// Signals in a fibre or cable travel at 1.98e8 m/s, as in headroom (dataplane/buffer/headroom.h).
#pragma once

#include <cstdint>

#include "dataplane/types/units.h"

namespace sluice::cli {

constexpr int64_t octets_in(int64_t nanoseconds, int64_t bits_per_second) {
    constexpr Wide scale = Wide{8} * 1'000'000'000;
    return static_cast<int64_t>((Wide{nanoseconds} * bits_per_second + scale - 1) / scale);
}

constexpr double serialisation_of(int64_t octets, int64_t bits_per_second) {
    return static_cast<double>(octets * 8 * 1'000'000'000) / static_cast<double>(bits_per_second);
}

constexpr double propagation_over(int64_t millimetres) {
    constexpr double millimetres_a_nanosecond = 198;
    return static_cast<double>(millimetres) / millimetres_a_nanosecond;
}

}  // namespace sluice::cli
