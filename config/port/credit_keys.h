// Credit keys: the part of the schema (schema.h) under `credit` of a port. Used only by
// port_keys.h.
#pragma once

#include <array>

#include "config/port/key_parts.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto credit_keys = std::to_array<Key>({
    {.name = "buffer",
     .kind = Kind::size,
     .help = "buffer of each lossless priority for the peer's frames; at least a largest frame and "
             "a quantum; what `pfc` needs if that is more",
     .worked_out = "from `speed`, `mtu`, `pfc.cable`, `pfc.response`, `quantum` and `buffer.cell`",
     .lowest = 64,
     .highest = GiB},
    {.name = "quantum",
     .kind = Kind::size,
     .help = "a credit update is sent when this much of a priority's buffer became free",
     .worked_out = "16 largest frames",
     .lowest = 64,
     .highest = 64 * MiB},
    {.name = "refresh",
     .kind = Kind::time,
     .help = "longest time between two credit updates, even if none is due",
     .fallback = "1ms",
     .lowest = 10'000,
     .highest = second},
});

}  // namespace sluice::config::keys
