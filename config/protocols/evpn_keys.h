// EVPN keys: the part of the schema (schema.h) about EVPN: the tunnels that a routing daemon
// controls, and the devices of the kernel that it uses. Used only by schema.cc.
#pragma once

#include <array>
#include <cstdint>

#include "config/key_row.h"
#include "dataplane/tunnel/vxlan.h"
#include "dataplane/types/limits.h"

namespace sluice::config::keys {

inline constexpr int64_t longest_interface_name = 15;  // IFNAMSIZ

inline constexpr auto vni_keys = std::to_array<Key>({
    key(Kind::whole, "vni", "VNI of the network's tunnels (`vxlan:PORT/ADDRESS/VNI`)", {}, 1,
        highest_vni) |
        Is::required,
    key(Kind::whole, "vlan", "VLAN of their frames", "1", 1, 4094),
    key(Kind::text, "device",
        "the kernel's VXLAN device of the same VNI, in a bridge: the routing daemon writes remote "
        "addresses there",
        {}, 0, longest_interface_name) |
        Is::required,
    key(Kind::text, "local_device",
        "another port of that bridge: `sluiced` writes learned addresses there", {}, 0,
        longest_interface_name) |
        Is::required,
    key(Kind::boolean, "neigh_suppress",
        "ARP and ND suppression: requests for an IP address known to be reached through a VTEP are "
        "answered here and not sent into tunnels; the routing daemon gets the addresses of hosts "
        "here",
        "false"),
});
inline constexpr std::array<Key, 1> a_vni = {
    {{.name = "VNIs", .kind = Kind::map, .inside = vni_keys}}};

inline constexpr auto evpn_keys = std::to_array<Key>({
    key(Kind::list, "vnis",
        "virtual networks whose tunnels learn nothing: a routing daemon controls them. Without one "
        "it is off",
        "[]", a_vni, 0, max_ports) |
        Is::restart,
    key(Kind::time, "grace",
        "how long stale entries are kept: remote ones when the last VTEP of a network is removed "
        "or the routing daemon restarted, remote and local ones when `sluiced` restarted; 0: none",
        "120s", 1'000'000'000, 3'600'000'000'000) |
        Is::restart | Is::or_zero,
    key(Kind::socket, "daemon_socket",
        "a socket that the routing daemon makes when it starts, which shows a restart; no program "
        "connects to it",
        "/run/frr/zserv.api") |
        Is::restart,
});

}  // namespace sluice::config::keys
