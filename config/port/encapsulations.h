// Encapsulations: reads from the device and the keys of a tunnel how its frames are carried.
//
//   vxlan:UNDERLAY/ADDRESS/VNI         to that address, of either version, in that virtual network
//   vxlan:UNDERLAY/VNI                 to many VTEPs: those of `remotes`, or of a routing daemon
//   vxlan:UNDERLAY                     likewise, each VLAN of `vnis` in the virtual network there
//   srv6:UNDERLAY/SID[,SID...]         by these segments, and `local_sid`, `reduced_srh`
//   mpls:UNDERLAY/LABEL[,LABEL...]     by these labels, and `local_label`, `control_word`,
//                                      `entropy_label`
//
// Not done here: checking against the port below (tunnels.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/tunnel/encapsulation.h"
#include "dataplane/types/ip_address.h"

namespace sluice::config {

// A name of a port may have a slash.
struct TunnelDevice {
    std::string_view scheme;
    std::string_view underlay;
    std::string_view path;  // what comes behind the name
};

bool is_tunnel(const Value& port);
// Reads the device string of a tunnel; empty: it is no tunnel, or names no port or no path.
std::optional<TunnelDevice> tunnel_device(const Value& port);
// Reads the tunnel of a port; empty: it is no tunnel, or keys are missing.
std::optional<Encapsulation> encapsulation_of(const Value& port);
// Whether the port is a VXLAN tunnel without the address of the other end.
bool is_tunnel_to_many(const Value& port);
// Whether the networks of the port are those of `vnis`, one for each VLAN.
bool has_vnis(const Value& port);
// Returns the networks of a point-to-multipoint tunnel: those of `vnis`, or the one of its device,
// with VLAN 0. Else none.
std::vector<VlanVni> networks_of(const Value& port);
// Returns false if the device or a key is wrong, which is reported.
bool check_encapsulation(const Value& port, Report& report);

std::optional<Ipv4Address> ipv4_of(std::string_view text);
std::optional<Ipv6Address> ipv6_of(std::string_view text);
std::optional<uint32_t> number_of(std::string_view text, uint32_t highest);
// Whether the address can be a station's: not unspecified, multicast, broadcast, loopback or
// IPv4-mapped.
bool is_station(Ipv4Address address);
bool is_station(const Ipv6Address& address);
bool is_link_local(const Ipv6Address& address);
// A station's that routers lead to.
bool is_routed(Ipv4Address address);
bool is_routed(const Ipv6Address& address);
std::string to_text(Ipv4Address address);
std::string to_text(const Ipv6Address& address);
std::string to_text(const IpAddress& address);

}  // namespace sluice::config
