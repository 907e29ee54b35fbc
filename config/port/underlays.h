// Underlays: checks and reads the addresses of ports below tunnels, and the marks of outer headers.
//
// Such a port has an address of at least one IP version, and may have a router for tunnels whose
// other end is in another network.
#pragma once

#include <cstdint>
#include <optional>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/tunnel/outer_header.h"
#include "dataplane/types/address.h"
#include "dataplane/types/ip_address.h"

namespace sluice::config {

struct UnderlayConfig {
    std::optional<Ipv4Address> address;
    uint8_t prefix = 0;
    std::optional<Ipv4Address> gateway;
    std::optional<Ipv6Address> address6;
    uint8_t prefix6 = 0;
    std::optional<Ipv6Address> gateway6;
    // The VLAN that tunnels, ARP and neighbour discovery use at the port; 0: frames without a tag.
    uint16_t vlan = 0;
    OuterMarks marks = {};

    [[nodiscard]] UnderlayAddresses addresses() const;
    // Returns the next hop towards `first`: `first` itself or the router. Nothing: unknown here;
    // the tunnel's `next_hop` may have it.
    [[nodiscard]] std::optional<IpAddress> next_hop(const std::optional<IpAddress>& first) const;

    friend bool operator==(const UnderlayConfig&, const UnderlayConfig&) = default;
};

// Return whether the address can be a host's. In an IPv4 network of more than two addresses the
// first and the last are not hosts (RFC 3021); in an IPv6 network the first belongs to the routers
// (RFC 4291 2.6.1).
bool is_host_of(Ipv4Address address, uint8_t prefix);
bool is_host_of(const Ipv6Address& address, uint8_t prefix);
// Return whether the address is in the network of the port's own address of that version.
bool on_link(const UnderlayConfig& underlay, Ipv4Address address);
bool on_link(const UnderlayConfig& underlay, const Ipv6Address& address);

void check_underlays(const Value& file, Report& report);

// Reads the underlay of a valid port; empty if the port has no address.
std::optional<UnderlayConfig> underlay_config(const Value& port);

}  // namespace sluice::config
