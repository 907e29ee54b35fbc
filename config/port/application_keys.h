// Application keys: the part of a port's keys (port_keys.h) that stands under `application[]`. For
// port_keys.h alone.
//
// Choices stand in the order of the enumeration that they are read into (dataplane/settings.h).
#pragma once

#include <array>
#include <string_view>

#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr std::array<std::string_view, 5> application_selectors = {"ethertype", "tcp", "udp",
                                                                          "port", "dscp"};

inline constexpr auto application_keys = std::to_array<Key>({
    {.name = "selector",
     .kind = Kind::choice,
     .help = "what identifies it: EtherType, a port of TCP, of UDP, of either, or DSCP",
     .required = true,
     .choices = application_selectors},
    {.name = "protocol",
     .kind = Kind::whole,
     .help = "the EtherType (0: of what is none else's), port or DSCP",
     .required = true,
     .lowest = 0,
     .highest = 65535},
    {.name = "priority",
     .kind = Kind::whole,
     .help = "of its frames",
     .required = true,
     .lowest = 0,
     .highest = 7},
});
inline constexpr std::array<Key, 1> an_application = {
    {{.name = "applications", .kind = Kind::map, .inside = application_keys}}};

}  // namespace sluice::config::keys
