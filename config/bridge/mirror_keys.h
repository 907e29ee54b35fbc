// Mirror keys: the part of the schema (schema.h) that stands under `mirrors[]`. For schema.cc
// alone.
//
// Choices stand in the order of the enumeration that they are read into (types/settings.h).
#pragma once

#include <array>

#include "config/choices.h"
#include "config/port/key_parts.h"
#include "config/schema.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice::config::keys {

inline constexpr auto mirror_directions = words_of<MirrorDirection>({
    {MirrorDirection::ingress, "ingress"},
    {MirrorDirection::egress, "egress"},
    {MirrorDirection::both, "both"},
});

inline constexpr auto mirror_keys = std::to_array<Key>({
    {.name = "from",
     .kind = Kind::list,
     .help = "names of the mirrored ports",
     .required = true,
     .inside = a_port_name,
     .fewest = 1,
     .most = max_ports,
     .distinct = true},
    {.name = "direction",
     .kind = Kind::choice,
     .help = "which frames are copied: received ones (`ingress`), sent ones (`egress`)",
     .fallback = "both",
     .choices = mirror_directions},
    {.name = "to",
     .kind = Kind::name,
     .help = "the port that sends the copies; no priority is lossless to it",
     .required = true},
    {.name = "bridged",
     .kind = Kind::boolean,
     .help = "that port also bridges frames; false: it is in no VLAN, and frames that it receives "
             "are refused",
     .fallback = "false"},
});
inline constexpr std::array<Key, 1> a_mirror = {
    {{.name = "mirrors", .kind = Kind::map, .inside = mirror_keys}}};

}  // namespace sluice::config::keys
