// Application keys: the part of a port's keys (port_keys.h) under `application[]`. Used only by
// port_keys.h.
//
// Choices are in the order of the enumeration that they are converted to (types/settings.h).
#pragma once

#include <array>

#include "config/choices.h"
#include "config/key_row.h"
#include "dataplane/types/settings.h"

namespace sluice::config::keys {

inline constexpr auto application_selectors = words_of<ApplicationSelector>({
    {ApplicationSelector::ethertype, "ethertype"},
    {ApplicationSelector::tcp, "tcp"},
    {ApplicationSelector::udp, "udp"},
    {ApplicationSelector::port, "port"},
    {ApplicationSelector::dscp, "dscp"},
});

inline constexpr auto application_keys = std::to_array<Key>({
    key(Kind::choice, "selector",
        "what identifies it: EtherType, a port of TCP, of UDP, of either, or DSCP", {},
        application_selectors) |
        Is::required,
    key(Kind::whole, "protocol", "the EtherType (0: any that no other entry has), port or DSCP", {},
        0, 65535) |
        Is::required,
    key(Kind::whole, "priority", "priority of its frames", {}, 0, 7) | Is::required,
});
inline constexpr std::array<Key, 1> an_application = {
    {{.name = "applications", .kind = Kind::map, .inside = application_keys}}};

}  // namespace sluice::config::keys
