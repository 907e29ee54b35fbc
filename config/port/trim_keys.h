// Trim keys: the part of the schema (schema.h) under `trim` of a port. Used only by port_keys.h.
#pragma once

#include <array>

#include "config/key_row.h"
#include "config/port/key_parts.h"

namespace sluice::config::keys {

inline constexpr std::array<Key, 2> dscp_to_dscp = {whole("DSCP", 0, 63), whole("DSCP", 0, 63)};

inline constexpr auto trim_keys = std::to_array<Key>({
    key(Kind::table, "dscp",
        "the DSCP of frames that are trimmed, and the one that they get; `{}`: none are trimmed",
        "{}", dscp_to_dscp),
    key(Kind::whole, "last_hop",
        "the DSCP that all trimmed frames have instead, at a port towards hosts",
        worked_out("as `dscp` says"), 0, 63),
    key(Kind::list, "priorities",
        "lossy priorities whose frames are trimmed if the buffer has no room for them",
        worked_out("all that are lossy, but `queue`"), a_priority, 1, max_priorities) |
        Is::distinct,
    key(Kind::whole, "queue", "the priority of trimmed frames; lossy", "6", 0, 7),
    key(Kind::size, "size",
        "octets of a frame that are kept, without FCS; more if its headers need them", "128B", 78,
        4096),
    key(Kind::share, "share",
        "highest share of trimmed frames in the octets that the port sends, up to 0.5", "0.25", 1,
        64),
});

}  // namespace sluice::config::keys
