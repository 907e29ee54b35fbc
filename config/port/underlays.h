// Underlays: the addresses of ports below tunnels, and the marks of their outer headers.
//
// A port has an address of at least one IP version, for the tunnels over it, and may name a router
// for tunnels whose other end is outside of its network.
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
    uint16_t vlan = 0;  // of all that is sent to and from these; 0: no tag
    OuterMarks marks = {};

    [[nodiscard]] UnderlayAddresses addresses() const;
    // The next hop towards `first`: `first` itself or the router; empty: only the tunnel's
    // `next_hop` can tell.
    [[nodiscard]] std::optional<IpAddress> next_hop(const std::optional<IpAddress>& first) const;

    friend bool operator==(const UnderlayConfig&, const UnderlayConfig&) = default;
};

// In an IPv4 network of more than two addresses the first and the last are not hosts (RFC 3021); in
// an IPv6 network the first is its routers' (RFC 4291 2.6.1).
bool is_host_of(Ipv4Address address, uint8_t prefix);
bool is_host_of(const Ipv6Address& address, uint8_t prefix);
// Whether the address is on the network of the port's address of its version.
bool on_link(const UnderlayConfig& underlay, Ipv4Address address);
bool on_link(const UnderlayConfig& underlay, const Ipv6Address& address);

void check_underlays(const Value& file, Report& report);

// Reads the underlay of a valid port; empty if it has no address.
std::optional<UnderlayConfig> underlay_config(const Value& port);

}  // namespace sluice::config
