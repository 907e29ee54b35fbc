// ECN keys: the part of the schema (schema.h) under `ecn` of a port. Used only by port_keys.h.
#pragma once

#include <array>

#include "config/key_row.h"
#include "config/port/key_parts.h"

namespace sluice::config::keys {

inline constexpr auto ecn_keys = std::to_array<Key>({
    key(Kind::size, "low", "a queue of the output below this marks nothing", {}, 0, GiB) |
        Is::required,
    key(Kind::size, "high",
        "from this on every frame is marked; above `low`, for a lossless priority not above "
        "`pfc.xoff`",
        {}, 0, GiB) |
        Is::required,
    key(Kind::probability, "probability",
        "probability that a frame is marked just below `high`; it grows evenly from `low`", {}, 1,
        65536) |
        Is::required,
    key(Kind::boolean, "drop",
        "for a lossy priority: frames that are not ECN-capable are dropped with the same "
        "probability (WRED)",
        "false"),
});
inline constexpr std::array<Key, 2> priority_to_ecn = {
    a_priority[0], {.name = "marking", .kind = Kind::map, .inside = ecn_keys}};

}  // namespace sluice::config::keys
