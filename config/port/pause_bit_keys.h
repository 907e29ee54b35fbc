// Pause bit keys: the part of the schema (schema.h) under `pfc.bits` of a port. Used only by
// port_keys.h.
#pragma once

#include "config/port/key_parts.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto pause_bit_keys = std::to_array<Key>({
    {.name = "sent",
     .kind = Kind::list,
     .help = "the priority that each bit of the pause frames to the peer stands for, bit 0 first",
     .worked_out = "from `pcp_to_priority`: a bit is a PCP",
     .needs = Needs::lossless,
     .inside = a_priority,
     .fewest = 8,
     .most = 8},
    {.name = "received",
     .kind = Kind::table,
     .help = "the bit of the peer's pause frames that pauses each priority; default for each: the "
             "PCP that its frames leave with",
     .fallback = "{}",
     .needs = Needs::obeying,
     .inside = priority_to_bit},
});

}  // namespace sluice::config::keys
