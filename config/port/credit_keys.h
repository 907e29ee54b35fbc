// Credit keys: the part of the schema (schema.h) under `credit` of a port. Used only by
// port_keys.h.
#pragma once

#include <array>

#include "config/key_row.h"
#include "config/port/key_parts.h"

namespace sluice::config::keys {

inline constexpr auto credit_keys = std::to_array<Key>({
    key(Kind::size, "buffer",
        "buffer of each lossless priority for the peer's frames; at least a largest frame and a "
        "quantum; what `pfc` needs if that is more",
        worked_out("from `speed`, `mtu`, `pfc.cable`, `pfc.response`, `quantum` and `buffer.cell`"),
        64, GiB),
    key(Kind::size, "quantum",
        "a credit update is sent when this much of a priority's buffer became free",
        worked_out("16 largest frames"), 64, 64 * MiB),
    key(Kind::time, "refresh", "longest time between two credit updates, even if none is due",
        "1ms", 10'000, second),
});

}  // namespace sluice::config::keys
