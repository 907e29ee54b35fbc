// Encapsulations: reads from a tunnel's device string and keys how its frames are encapsulated.
//
//   vxlan:UNDERLAY/ADDRESS/VNI         one virtual network, to one IPv4 or IPv6 address
//   vxlan:UNDERLAY/VNI                 one virtual network, to many VTEPs, which `remotes` or a
//                                      routing daemon lists
//   vxlan:UNDERLAY                     a virtual network for each VLAN of `vnis`, to many VTEPs
//   srv6:UNDERLAY/SID[,SID...]         along these segments; with `local_sid`, `reduced_srh`
//   mpls:UNDERLAY/LABEL[,LABEL...]     with these labels; with `local_label`, `control_word`,
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

// The parts of a tunnel's device string. The name of the port below may have a slash.
struct TunnelDevice {
    std::string_view scheme;
    std::string_view underlay;
    std::string_view path;  // the text after the name of the port
};

bool is_tunnel(const Value& port);
// Returns the parts of the device string; empty if it is no tunnel, or has no port or no path.
std::optional<TunnelDevice> tunnel_device(const Value& port);
// Returns the encapsulation of the tunnel; empty if the port is no tunnel, or keys are missing.
std::optional<Encapsulation> encapsulation_of(const Value& port);
// Returns whether the port is a VXLAN tunnel without the address of another end.
bool is_tunnel_to_many(const Value& port);
// Returns whether the port has `vnis`, with a network for each VLAN.
bool has_vnis(const Value& port);
// Returns the networks of a point-to-multipoint tunnel: those of `vnis`, or the VNI of the device
// string with VLAN 0. Empty for other ports.
std::vector<VlanVni> networks_of(const Value& port);
// Reports faults of the device string and its keys. Returns false if there are faults.
bool check_encapsulation(const Value& port, Report& report);

std::optional<Ipv4Address> ipv4_of(std::string_view text);
std::optional<Ipv6Address> ipv6_of(std::string_view text);
std::optional<uint32_t> number_of(std::string_view text, uint32_t highest);
// Returns whether the address can be a station's: not unspecified, multicast, broadcast, loopback
// or IPv4-mapped.
bool is_station(Ipv4Address address);
bool is_station(const Ipv6Address& address);
bool is_link_local(const Ipv6Address& address);
// Returns whether the address can be a station's and is routable, so not link-local.
bool is_routed(Ipv4Address address);
bool is_routed(const Ipv6Address& address);
std::string to_text(Ipv4Address address);
std::string to_text(const Ipv6Address& address);
std::string to_text(const IpAddress& address);

}  // namespace sluice::config
