// Evpn: what is said about EVPN, and the rules between those keys and the tunnels.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// After the keys were read: each network has devices of its own, and tunnels that are in its VLAN.
void check_evpn(const Value& file, Report& report);

// Of a valid file.
EvpnConfig evpn_config(const Value& evpn);
// Which tunnels are told of.
void join_evpn(Configuration& built);

}  // namespace sluice::config
