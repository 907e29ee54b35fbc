// Host keys: the part of a port's keys (port_keys.h) under `host`. Used only by port_keys.h.
#pragma once

#include <array>

#include "config/key_row.h"
#include "dataplane/types/address.h"

namespace sluice::config::keys {

inline constexpr auto host_rule_keys = std::to_array<Key>({
    key(Kind::destination, "mac", "the destination of the frame", worked_out("any"), 0,
        static_cast<int64_t>(broadcast_address.bits)),
    key(Kind::whole, "vlan", "VLAN of the outer tag; 0: no tag", worked_out("any"), 0, 4094),
    key(Kind::whole, "ethertype", "EtherType after up to two tags", worked_out("any"), 1536, 65535),
});
inline constexpr std::array<Key, 1> a_host_rule = {
    {{.name = "rules", .kind = Kind::map, .inside = host_rule_keys}}};

inline constexpr std::size_t most_host_rules = 16;

inline constexpr auto host_keys = std::to_array<Key>({
    key(Kind::boolean, "addresses",
        "the host keeps the interface's addresses: frames for its MAC, and ARP requests and "
        "neighbour solicitations for its IP addresses without a VLAN",
        "false"),
    key(Kind::list, "rules",
        "further frames that the host keeps: those that match all keys of one rule", "[]",
        a_host_rule, 0, most_host_rules),
});

}  // namespace sluice::config::keys
