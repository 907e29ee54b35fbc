// Trim keys: the part of the schema (schema.h) under `trim` of a port. Used only by port_keys.h.
#pragma once

#include <array>

#include "config/port/key_parts.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr std::array<Key, 2> dscp_to_dscp = {whole("DSCP", 0, 63), whole("DSCP", 0, 63)};

inline constexpr auto trim_keys = std::to_array<Key>({
    {.name = "dscp",
     .kind = Kind::table,
     .help =
         "the DSCP of frames that are trimmed, and the one that they get; `{}`: none are trimmed",
     .fallback = "{}",
     .inside = dscp_to_dscp},
    {.name = "last_hop",
     .kind = Kind::whole,
     .help = "the DSCP that all trimmed frames have instead, at a port towards hosts",
     .worked_out = "as `dscp` says",
     .lowest = 0,
     .highest = 63},
    {.name = "priorities",
     .kind = Kind::list,
     .help = "lossy priorities whose frames are trimmed if the buffer has no room for them",
     .worked_out = "all that are lossy, but `queue`",
     .inside = a_priority,
     .fewest = 1,
     .most = max_priorities,
     .distinct = true},
    {.name = "queue",
     .kind = Kind::whole,
     .help = "the priority of trimmed frames; lossy",
     .fallback = "6",
     .lowest = 0,
     .highest = 7},
    {.name = "size",
     .kind = Kind::size,
     .help = "octets of a frame that are kept, without FCS; more if its headers need them",
     .fallback = "128B",
     .lowest = 78,
     .highest = 4096},
    {.name = "share",
     .kind = Kind::share,
     .help = "highest share of trimmed frames in the octets that the port sends, up to 0.5",
     .fallback = "0.25",
     .lowest = 1,
     .highest = 64},
});

}  // namespace sluice::config::keys
