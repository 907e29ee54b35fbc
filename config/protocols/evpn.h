// Evpn: reads the keys of EVPN, and checks the rules between them and the tunnels.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Checks that each network has devices of its own, and tunnels that are in its VLAN. To be called
// after the keys were read.
void check_evpn(const Value& file, Report& report);

// Reads the settings from a valid file.
EvpnConfig evpn_config(const Value& evpn);
// Marks the tunnels of EVPN and the ports where neighbour requests are suppressed. Such a tunnel
// speaks DCBX only if `dcbx` is written at the port itself, as DCBX is for links to hosts.
void join_evpn(const Value& file, Configuration& built);

// Returns the port that leads to all VTEPs of a network, if there is one.
std::optional<PortIndex> tunnel_to_many_of(const VniConfig& vni,
                                           const std::vector<PortConfig>& ports);
// Returns the tunnels of a network that lead to one VTEP each, by the address of that VTEP.
std::map<Ipv4Address, PortIndex> tunnels_of(const VniConfig& vni,
                                            const std::vector<PortConfig>& ports);

}  // namespace sluice::config
