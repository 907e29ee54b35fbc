// Host keys: the part of a port's keys (port_keys.h) under `host`. Used only by port_keys.h.
#pragma once

#include <array>

#include "config/schema.h"
#include "dataplane/types/address.h"

namespace sluice::config::keys {

inline constexpr auto host_rule_keys = std::to_array<Key>({
    {.name = "mac",
     .kind = Kind::destination,
     .help = "the destination of the frame",
     .worked_out = "any",
     .lowest = 0,
     .highest = static_cast<int64_t>(broadcast_address.bits)},
    {.name = "vlan",
     .kind = Kind::whole,
     .help = "VLAN of the outer tag; 0: no tag",
     .worked_out = "any",
     .lowest = 0,
     .highest = 4094},
    {.name = "ethertype",
     .kind = Kind::whole,
     .help = "EtherType behind up to two tags",
     .worked_out = "any",
     .lowest = 1536,
     .highest = 65535},
});
inline constexpr std::array<Key, 1> a_host_rule = {
    {{.name = "rules", .kind = Kind::map, .inside = host_rule_keys}}};

inline constexpr std::size_t most_host_rules = 16;

inline constexpr auto host_keys = std::to_array<Key>({
    {.name = "addresses",
     .kind = Kind::boolean,
     .help = "the host keeps the interface's addresses: frames for its MAC, and ARP requests and "
             "neighbour solicitations for its IP addresses without a VLAN",
     .fallback = "false"},
    {.name = "rules",
     .kind = Kind::list,
     .help = "further frames that the host keeps: those that match all keys of one rule",
     .fallback = "[]",
     .inside = a_host_rule,
     .most = most_host_rules},
});

}  // namespace sluice::config::keys
