// Credit keys: the part of the schema (schema.h) that stands under `credit` of a port. For
// port_keys.h alone.
#pragma once

#include <array>

#include "config/port/key_parts.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto credit_keys = std::to_array<Key>({
    {.name = "buffer",
     .kind = Kind::size,
     .help = "of each lossless priority, for what the peer sends; a largest frame and a quantum at "
             "the least; what `pfc` needs where that is more",
     .worked_out = "from `speed`, `mtu`, `pfc.cable`, `pfc.response`, `quantum` and `buffer.cell`",
     .lowest = 64,
     .highest = GiB},
    {.name = "quantum",
     .kind = Kind::size,
     .help = "credit is advertised when so much of a priority came back",
     .worked_out = "16 largest frames",
     .lowest = 64,
     .highest = 64 * MiB},
    {.name = "refresh",
     .kind = Kind::time,
     .help = "and so long after the last time, whether or not",
     .fallback = "1ms",
     .lowest = 10'000,
     .highest = second},
});

}  // namespace sluice::config::keys
