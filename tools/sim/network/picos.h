// Picos: virtual time in picoseconds. At every speed from 1G to 100G an octet takes a whole number
// of them, so that sums of frames are not rounded. A Switch gets nanoseconds.
// Bound: 106 days.
#pragma once

#include "dataplane/types/units.h"

namespace sluice::sim {

using Picos = Quantity<struct PicosTag>;

constexpr Picos picos(Nanos time) { return Picos(time.count() * 1000); }
constexpr Nanos nanos(Picos time) { return Nanos(time.count() / 1000); }
constexpr Picos octet_time(BitsPerSecond speed) { return Picos(8'000'000'000'000 / speed.count()); }

}  // namespace sluice::sim
