// Pause bit keys: the part of the schema (schema.h) under `pfc.bits` of a port. Used only by
// port_keys.h.
#pragma once

#include "config/key_row.h"
#include "config/port/key_parts.h"

namespace sluice::config::keys {

inline constexpr auto pause_bit_keys = std::to_array<Key>({
    key(Kind::list, "sent",
        "the priority that each bit of the pause frames to the peer stands for, bit 0 first",
        worked_out("from `pcp_to_priority`: a bit is a PCP"), a_priority, 8, 8) |
        Needs::lossless,
    key(Kind::table, "received",
        "the bit of the peer's pause frames that pauses each priority; default for each: the PCP "
        "that its frames leave with",
        "{}", priority_to_bit) |
        Needs::obeying,
});

}  // namespace sluice::config::keys
