// Tunnels: ports whose device is a tunnel over another port, and those other ports.
//
// The device names the port below and how frames are carried (encapsulations.h); the port below has
// an address of the tunnel's IP version under `underlay`. A tunnel's longest frame, with the outer
// headers, has to fit a datagram of the port below; a tunnel without `mtu` has the longest that
// fits, and without `speed` the speed of the port below. A tunnel with `vnis` is a trunk of those
// VLANs.
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
    std::string underlay;  // its name
    Encapsulation encapsulation = {};
    std::optional<MacAddress> next_hop;  // else by ARP or neighbour discovery
    // For a tunnel to many: its VTEPs, as written, and its networks: one with VLAN 0, or those of
    // `vnis`.
    std::vector<Ipv4Address> remotes = {};
    std::vector<VlanVni> networks = {};
};

// The worker that polls a port; a tunnel is polled by the worker of the port below. Empty if
// unknown.
std::optional<int64_t> worker_of(const Value& file, const Value& port);

// Before anything else is checked or worked out.
void apply_underlay_defaults(Value& file);
void check_tunnels(const Value& file, const PortNames& names, Report& report);

// Reads the tunnel of a valid port; empty if it is none.
std::optional<TunnelConfig> tunnel_config(const Value& port);

}  // namespace sluice::config
