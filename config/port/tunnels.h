// Tunnels: checks and reads ports whose device is a tunnel over another port.
//
// The device string names the port below and the encapsulation (encapsulations.h). The port below
// has an address of the tunnel's IP version under `underlay`. A tunnel's longest frame, with the
// outer headers, has to fit the MTU of the port below; a tunnel without `mtu` has the largest that
// fits, and one without `speed` has the speed of the port below. A tunnel with `vnis` is a trunk of
// those VLANs.
// Not done here: opening tunnels (control/runtime/runtime.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/port/encapsulations.h"
#include "config/port/port_names.h"
#include "config/port/underlays.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/tunnel/encapsulation.h"
#include "dataplane/types/address.h"

namespace sluice::config {

struct TunnelConfig {
    std::string underlay;  // name of the port below
    Encapsulation encapsulation = {};
    std::optional<MacAddress> next_hop;  // nothing: resolved by ARP or neighbour discovery
    // For a point-to-multipoint tunnel: its VTEPs as written; and its networks, which are one with
    // VLAN 0, or those of `vnis`.
    std::vector<Ipv4Address> remotes = {};
    std::vector<VlanVni> networks = {};
};

// Returns the worker that polls a port, for a tunnel the worker of the port below. Empty if
// unknown.
std::optional<int64_t> worker_of(const Value& file, const Value& port);

// Sets unwritten keys of tunnels from the port below. To be called before all checks.
void apply_underlay_defaults(Value& file);
void check_tunnels(const Value& file, const PortNames& names, Report& report);

// Reads the tunnel of a valid port; empty if the port is no tunnel.
std::optional<TunnelConfig> tunnel_config(const Value& port);

}  // namespace sluice::config
