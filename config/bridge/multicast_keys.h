// Multicast keys: the part of the schema (schema.h) that stands under `multicast`. For schema.cc
// alone.
//
// Choices stand in the order of the enumeration that they are read into (types/settings.h).
#pragma once

#include <array>

#include "config/choices.h"
#include "config/port/key_parts.h"
#include "config/port/port_keys.h"
#include "config/schema.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice::config::keys {

inline constexpr int64_t most_groups = 16 * 1024;
inline constexpr auto group_protocols = words_of<GroupProtocol>({
    {GroupProtocol::igmp, "igmp"},
    {GroupProtocol::mld, "mld"},
});
inline constexpr auto unregistered_goes = words_of<Unregistered>({
    {Unregistered::flood, "flood"},
    {Unregistered::router_ports, "router_ports"},
});
inline constexpr std::array<Key, 1> a_group_protocol = {
    {{.name = "protocol", .kind = Kind::choice, .choices = group_protocols}}};

inline constexpr auto group_keys = std::to_array<Key>({
    {.name = "vlan",
     .kind = Kind::whole,
     .help = "the VLAN it is known in",
     .fallback = "1",
     .lowest = 1,
     .highest = 4094},
    {.name = "address",
     .kind = Kind::group,
     .help = "address of the group",
     .worked_out = "required, where there is no `id`"},
    {.name = "id",
     .kind = Kind::whole,
     .help = "in place of `address`, if the format of its ports has ids",
     .worked_out = "required, where there is no `address`",
     .lowest = 0,
     .highest = 0xFFFF'FFFF},
    {.name = "ports",
     .kind = Kind::list,
     .help = "the ports that it goes to, in addition to router ports",
     .required = true,
     .inside = a_port_name,
     .fewest = 1,
     .most = max_ports,
     .distinct = true},
});
inline constexpr std::array<Key, 1> a_group = {
    {{.name = "groups", .kind = Kind::map, .inside = group_keys}}};

inline constexpr auto querier_keys = std::to_array<Key>({
    {.name = "vlans",
     .kind = Kind::list,
     .help = "where the switch queries, unless another does; up to 256, all of them snooped",
     .fallback = "[]",
     .inside = vlan_range,
     .most = 256},
    {.name = "address",
     .kind = Kind::text,
     .help = "the IPv4 address that IGMP queries come from; the lowest one of a VLAN queries",
     .worked_out = "0.0.0.0: any other querier takes over",
     .highest = 15},
    {.name = "interval",
     .kind = Kind::time,
     .help = "between two general queries",
     .fallback = "125s",
     .lowest = second,
     .highest = 3600 * second},
    {.name = "response",
     .kind = Kind::time,
     .help = "time in which hosts answer a query",
     .fallback = "10s",
     .lowest = 100 * millisecond,
     .highest = 25 * second},
    {.name = "igmp_version",
     .kind = Kind::whole,
     .help = "version of IGMP queries, which hosts answer in that version or an earlier one",
     .fallback = "3",
     .lowest = 2,
     .highest = 3},
    {.name = "mld_version",
     .kind = Kind::whole,
     .help = "version of MLD queries",
     .fallback = "2",
     .lowest = 1,
     .highest = 2},
});

inline constexpr auto multicast_keys = std::to_array<Key>({
    {.name = "capacity",
     .kind = Kind::whole,
     .help = "groups that can be known",
     .fallback = "1024",
     .restart = true,
     .lowest = 1,
     .highest = most_groups},
    {.name = "snooping",
     .kind = Kind::list,
     .help = "protocols whose reports decide where groups go: IGMP of IPv4, MLD of IPv6",
     .fallback = "[]",
     .inside = a_group_protocol,
     .most = group_protocols.size(),
     .distinct = true},
    {.name = "vlans",
     .kind = Kind::list,
     .help = "where IGMP and MLD are snooped",
     .fallback = "[1-4094]",
     .needs = Needs::snooping,
     .inside = vlan_range,
     .most = 4094},
    {.name = "unregistered",
     .kind = Kind::choice,
     .help = "where frames to groups that no host reported go, in snooped VLANs: everywhere, or to "
             "router ports",
     .fallback = "flood",
     .needs = Needs::snooping,
     .choices = unregistered_goes},
    {.name = "fast_leave",
     .kind = Kind::boolean,
     .help = "a host that leaves a group is removed at once; for ports with one host each",
     .fallback = "false",
     .needs = Needs::snooping},
    {.name = "ageing",
     .kind = Kind::time,
     .help = "a port without reports for this long leaves the group, and one without queries, PIM "
             "Hello or MRD is no longer a router port",
     .fallback = "260s",
     .needs = Needs::snooping,
     .lowest = second,
     .highest = 1'000'000 * second},
    {.name = "leaving",
     .kind = Kind::time,
     .help = "the same after a host left, so that other hosts behind the port can report",
     .fallback = "2s",
     .needs = Needs::snooping,
     .lowest = millisecond,
     .highest = 1'000'000 * second},
    {.name = "querier",
     .kind = Kind::map,
     .help = "queries of the switch itself, for networks without a router that queries",
     .needs = Needs::querying,
     .inside = querier_keys},
    {.name = "router_ports",
     .kind = Kind::list,
     .help = "ports that get every group and report of their VLANs, in addition to those that "
             "receive queries, PIM Hello or MRD",
     .fallback = "[]",
     .inside = a_port_name,
     .most = max_ports,
     .distinct = true},
    {.name = "groups",
     .kind = Kind::list,
     .help = "groups that are known from the start, and never aged",
     .fallback = "[]",
     .inside = a_group,
     .most = most_groups},
});

}  // namespace sluice::config::keys
