// ECN keys: the part of the schema (schema.h) under `ecn` of a port. Used only by port_keys.h.
#pragma once

#include <array>

#include "config/port/key_parts.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto ecn_keys = std::to_array<Key>({
    {.name = "low",
     .kind = Kind::size,
     .help = "a queue of the output below this marks nothing",
     .required = true,
     .lowest = 0,
     .highest = GiB},
    {.name = "high",
     .kind = Kind::size,
     .help = "from this on every frame is marked; above `low`, for a lossless priority not above "
             "`pfc.xoff`",
     .required = true,
     .lowest = 0,
     .highest = GiB},
    {.name = "probability",
     .kind = Kind::probability,
     .help = "probability that a frame is marked just below `high`; it grows evenly from `low`",
     .required = true,
     .lowest = 1,
     .highest = 65536},
    {.name = "drop",
     .kind = Kind::boolean,
     .help = "for a lossy priority: frames that are not ECN-capable are dropped with the same "
             "probability (WRED)",
     .fallback = "false"},
});
inline constexpr std::array<Key, 2> priority_to_ecn = {
    a_priority[0], {.name = "marking", .kind = Kind::map, .inside = ecn_keys}};

}  // namespace sluice::config::keys
