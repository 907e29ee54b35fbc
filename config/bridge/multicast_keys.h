// Multicast keys: the part of the schema (schema.h) under `multicast`. Used only by schema.cc.
//
// Choices are in the order of the enumeration that they are converted to (types/settings.h).
#pragma once

#include <array>

#include "config/choices.h"
#include "config/key_row.h"
#include "config/port/key_parts.h"
#include "config/port/port_keys.h"
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
    key(Kind::whole, "vlan", "the VLAN it is known in", "1", 1, 4094),
    key(Kind::group, "address", "address of the group",
        worked_out("required, where there is no `id`")),
    key(Kind::whole, "id", "in place of `address`, if the format of its ports has ids",
        worked_out("required, where there is no `address`"), 0, 0xFFFF'FFFF),
    key(Kind::list, "ports", "the ports that it goes to, in addition to router ports", {},
        a_port_name, 1, max_ports) |
        Is::required | Is::distinct,
});
inline constexpr std::array<Key, 1> a_group = {
    {{.name = "groups", .kind = Kind::map, .inside = group_keys}}};

inline constexpr auto querier_keys = std::to_array<Key>({
    key(Kind::list, "vlans",
        "where the switch queries, unless another does; up to 256, all of them snooped", "[]",
        vlan_range, 0, 256),
    key(Kind::text, "address",
        "the IPv4 address that IGMP queries come from; the lowest one of a VLAN queries",
        worked_out("0.0.0.0: any other querier takes over"), 0, 15),
    key(Kind::time, "interval", "between two general queries", "125s", second, 3600 * second),
    key(Kind::time, "response", "time in which hosts answer a query", "10s", 100 * millisecond,
        25 * second),
    key(Kind::whole, "igmp_version",
        "version of IGMP queries, which hosts answer in that version or an earlier one", "3", 2, 3),
    key(Kind::whole, "mld_version", "version of MLD queries", "2", 1, 2),
});

inline constexpr auto multicast_keys = std::to_array<Key>({
    key(Kind::whole, "capacity", "groups that can be known", "1024", 1, most_groups) | Is::restart,
    key(Kind::list, "snooping",
        "protocols whose reports decide where groups go: IGMP of IPv4, MLD of IPv6", "[]",
        a_group_protocol, 0, group_protocols.size()) |
        Is::distinct,
    key(Kind::list, "vlans", "where IGMP and MLD are snooped", "[1-4094]", vlan_range, 0, 4094) |
        Needs::snooping,
    key(Kind::choice, "unregistered",
        "where frames to groups that no host reported go, in snooped VLANs: everywhere, or to "
        "router ports",
        "flood", unregistered_goes) |
        Needs::snooping,
    key(Kind::boolean, "fast_leave",
        "a host that leaves a group is removed at once; for ports with one host each", "false") |
        Needs::snooping,
    key(Kind::time, "ageing",
        "a port without reports for this long leaves the group, and one without queries, PIM Hello "
        "or MRD is no longer a router port",
        "260s", second, 1'000'000 * second) |
        Needs::snooping,
    key(Kind::time, "leaving",
        "the same after a host left, so that other hosts at the port can report", "2s", millisecond,
        1'000'000 * second) |
        Needs::snooping,
    key(Kind::map, "querier",
        "queries of the switch itself, for networks without a router that queries", {},
        querier_keys) |
        Needs::querying,
    key(Kind::list, "router_ports",
        "ports that get every group and report of their VLANs, in addition to those that receive "
        "queries, PIM Hello or MRD",
        "[]", a_port_name, 0, max_ports) |
        Is::distinct,
    key(Kind::list, "groups", "groups that are known from the start, and never aged", "[]", a_group,
        0, most_groups),
});

}  // namespace sluice::config::keys
