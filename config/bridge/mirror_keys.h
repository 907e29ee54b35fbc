// Mirror keys: the part of the schema (schema.h) under `mirrors[]`. Used only by schema.cc.
//
// Choices are in the order of the enumeration that they are converted to (types/settings.h).
#pragma once

#include <array>

#include "config/choices.h"
#include "config/key_row.h"
#include "config/port/key_parts.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice::config::keys {

inline constexpr auto mirror_directions = words_of<MirrorDirection>({
    {MirrorDirection::ingress, "ingress"},
    {MirrorDirection::egress, "egress"},
    {MirrorDirection::both, "both"},
});

inline constexpr auto mirror_keys = std::to_array<Key>({
    key(Kind::list, "from", "names of the mirrored ports", {}, a_port_name, 1, max_ports) |
        Is::required | Is::distinct,
    key(Kind::choice, "direction",
        "which frames are copied: received ones (`ingress`), sent ones (`egress`)", "both",
        mirror_directions),
    key(Kind::name, "to", "the port that sends the copies; no priority is lossless to it") |
        Is::required,
    key(Kind::boolean, "bridged",
        "that port also bridges frames; false: it is in no VLAN, and frames that it receives are "
        "refused",
        "false"),
});
inline constexpr std::array<Key, 1> a_mirror = {
    {{.name = "mirrors", .kind = Kind::map, .inside = mirror_keys}}};

}  // namespace sluice::config::keys
