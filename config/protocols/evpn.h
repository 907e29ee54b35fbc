// Evpn: what is said about EVPN, and the rules between those keys and the tunnels.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// After the keys were read: each network has devices of its own, and tunnels that are in its VLAN.
void check_evpn(const Value& file, Report& report);

// Reads the settings from a valid file.
EvpnConfig evpn_config(const Value& evpn);
// Marks the tunnels of EVPN, and the ports where neighbour requests are suppressed. DCBX is for the
// link to a host: such a tunnel speaks it only if `dcbx` is written at the port itself.
void join_evpn(const Value& file, Configuration& built);

// The port of a network that leads to all its VTEPs, if there is one.
std::optional<PortIndex> tunnel_to_many_of(const VniConfig& vni,
                                           const std::vector<PortConfig>& ports);
// The tunnels of a network to one each, by the VTEP at their other end.
std::map<Ipv4Address, PortIndex> tunnels_of(const VniConfig& vni,
                                            const std::vector<PortConfig>& ports);

}  // namespace sluice::config
