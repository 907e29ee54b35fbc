// EVPN keys: the part of the schema (schema.h) that says which tunnels a routing daemon controls,
// and by which devices of the kernel. For schema.cc alone.
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
     .help = "whose tunnels (`vxlan:PORT/ADDRESS/VNI`) it is about",
     .required = true,
     .lowest = 1,
     .highest = highest_vni},
    {.name = "vlan",
     .kind = Kind::whole,
     .help = "where their frames are bridged",
     .fallback = "1",
     .lowest = 1,
     .highest = 4094},
    {.name = "device",
     .kind = Kind::text,
     .help = "the kernel's VXLAN device of the same VNI, in a bridge: there the routing daemon "
             "writes what is remote",
     .required = true,
     .highest = longest_interface_name},
    {.name = "local_device",
     .kind = Kind::text,
     .help = "another port of that bridge: there `sluiced` writes what it learned",
     .required = true,
     .highest = longest_interface_name},
    {.name = "neigh_suppress",
     .kind = Kind::boolean,
     .help = "ARP and ND suppression: who asks for an IP address that is known behind a VTEP is "
             "answered here, and the question goes into no tunnel; the routing daemon gets those "
             "of hosts here",
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
     .help = "for how long stale entries are kept: remote ones when the last VTEP of a network is "
             "taken away or the routing daemon began anew, both when `sluiced` did; 0: none",
     .fallback = "120s",
     .restart = true,
     .lowest = 1'000'000'000,
     .highest = 3'600'000'000'000,
     .or_zero = true},
    {.name = "daemon_socket",
     .kind = Kind::socket,
     .help = "a socket that the routing daemon makes when it starts, by which that is noticed; "
             "nobody connects to it",
     .fallback = "/run/frr/zserv.api",
     .restart = true},
});

}  // namespace sluice::config::keys
