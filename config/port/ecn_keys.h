// ECN keys: the part of the schema (schema.h) that stands under `ecn` of a port. For port_keys.h
// alone.
#pragma once

#include <array>

#include "config/port/key_parts.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto ecn_keys = std::to_array<Key>({
    {.name = "low",
     .kind = Kind::size,
     .help = "a queue of the output that holds less marks nothing",
     .required = true,
     .lowest = 0,
     .highest = GiB},
    {.name = "high",
     .kind = Kind::size,
     .help = "from here on every frame is marked; above `low`, if lossless not above `pfc.xoff`",
     .required = true,
     .lowest = 0,
     .highest = GiB},
    {.name = "probability",
     .kind = Kind::probability,
     .help = "that a frame is marked just below `high`; it grows evenly from `low`",
     .required = true,
     .lowest = 1,
     .highest = 65536},
    {.name = "drop",
     .kind = Kind::boolean,
     .help = "of a lossy priority: what is not ECN-capable is dropped as the rest is marked (WRED)",
     .fallback = "false"},
});
inline constexpr std::array<Key, 2> priority_to_ecn = {
    a_priority[0], {.name = "marking", .kind = Kind::map, .inside = ecn_keys}};

}  // namespace sluice::config::keys
