// Tunnels: ports whose device is a tunnel over another port, and those other ports.
//
// `device: "vxlan:UNDERLAY/REMOTE/VNI"` names the port below, the address of the other end and the
// virtual network; the port below has `underlay.address`. A tunnel's largest frame, with what goes
// before it, fits a datagram of the port below; where a tunnel writes no `mtu` of its own it is the
// largest that does. Its `speed`, likewise, is that of the port below.
// Not done here: opening any (control/runtime.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/port/port_names.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/address.h"
#include "dataplane/tunnel/vxlan.h"

namespace sluice::config {

// What a port writes that is below tunnels.
struct UnderlayConfig {
    Ipv4Address address;
    uint8_t prefix = 0;
    std::optional<Ipv4Address> gateway;
    OuterDscps dscps = class_selectors;

    // Whom a frame for `remote` goes to first.
    [[nodiscard]] Ipv4Address next_hop(Ipv4Address remote) const;

    friend bool operator==(const UnderlayConfig&, const UnderlayConfig&) = default;
};

struct TunnelConfig {
    std::string underlay;  // its name
    Ipv4Address remote;
    uint32_t vni = 0;
    std::optional<MacAddress> next_hop;  // else ARP tells it
};

std::string to_text(Ipv4Address address);

bool is_tunnel(const Value& port);

// Who polls a port: of a tunnel, who polls that below. Nothing while that cannot be known.
std::optional<int64_t> worker_of(const Value& file, const Value& port);

// Before anything else is checked or worked out.
void fit_tunnels(Value& file);
void check_tunnels(const Value& file, const PortNames& names, Report& report);

// Of a valid port: nothing where it is none.
std::optional<UnderlayConfig> underlay_config(const Value& port);
std::optional<TunnelConfig> tunnel_config(const Value& port);

}  // namespace sluice::config
