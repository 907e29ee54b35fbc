// EVPN keys: the part of the schema (schema.h) about EVPN: the tunnels that a routing daemon
// controls, and the devices of the kernel that it uses. Used only by schema.cc.
#pragma once

#include <array>
#include <cstdint>

#include "config/schema.h"
#include "dataplane/tunnel/vxlan.h"
#include "dataplane/types/limits.h"

namespace sluice::config::keys {

inline constexpr int64_t longest_interface_name = 15;  // IFNAMSIZ

inline constexpr auto vni_keys = std::to_array<Key>({
    {.name = "vni",
     .kind = Kind::whole,
     .help = "VNI of the network's tunnels (`vxlan:PORT/ADDRESS/VNI`)",
     .required = true,
     .lowest = 1,
     .highest = highest_vni},
    {.name = "vlan",
     .kind = Kind::whole,
     .help = "VLAN of their frames",
     .fallback = "1",
     .lowest = 1,
     .highest = 4094},
    {.name = "device",
     .kind = Kind::text,
     .help = "the kernel's VXLAN device of the same VNI, in a bridge: the routing daemon writes "
             "remote addresses there",
     .required = true,
     .highest = longest_interface_name},
    {.name = "local_device",
     .kind = Kind::text,
     .help = "another port of that bridge: `sluiced` writes learned addresses there",
     .required = true,
     .highest = longest_interface_name},
    {.name = "neigh_suppress",
     .kind = Kind::boolean,
     .help = "ARP and ND suppression: requests for an IP address that is known behind a VTEP are "
             "answered here and not sent into tunnels; the routing daemon gets the addresses of "
             "hosts here",
     .fallback = "false"},
});
inline constexpr std::array<Key, 1> a_vni = {
    {{.name = "VNIs", .kind = Kind::map, .inside = vni_keys}}};

inline constexpr auto evpn_keys = std::to_array<Key>({
    {.name = "vnis",
     .kind = Kind::list,
     .help = "virtual networks whose tunnels learn nothing: a routing daemon controls them. "
             "Without one it is off",
     .fallback = "[]",
     .restart = true,
     .inside = a_vni,
     .most = max_ports},
    {.name = "grace",
     .kind = Kind::time,
     .help =
         "how long stale entries are kept: remote ones when the last VTEP of a network is removed "
         "or the routing daemon restarted, remote and local ones when `sluiced` restarted; 0: none",
     .fallback = "120s",
     .restart = true,
     .lowest = 1'000'000'000,
     .highest = 3'600'000'000'000,
     .or_zero = true},
    {.name = "daemon_socket",
     .kind = Kind::socket,
     .help = "a socket that the routing daemon makes when it starts, which shows a restart; nobody "
             "connects to it",
     .fallback = "/run/frr/zserv.api",
     .restart = true},
});

}  // namespace sluice::config::keys
