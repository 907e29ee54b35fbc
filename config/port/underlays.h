// Underlays: the addresses of ports that have tunnels over them, and what goes before frames there.
//
// A port has an address of one version at least, for the tunnels that go by it, and may name a
// router of that network for those whose way leads out of it.
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
    // The next hop of frames whose path begins there, or at the router: nothing where only
    // `next_hop` of their tunnel says it.
    [[nodiscard]] std::optional<IpAddress> next_hop(const std::optional<IpAddress>& first) const;

    friend bool operator==(const UnderlayConfig&, const UnderlayConfig&) = default;
};

// In a network of more than two, its first and last are nobody's (RFC 3021); of IPv6 the first is
// that of its routers (RFC 4291 2.6.1).
bool is_host_of(Ipv4Address address, uint8_t prefix);
bool is_host_of(const Ipv6Address& address, uint8_t prefix);
// Whether it is of the network of the port's address of its version.
bool on_link(const UnderlayConfig& underlay, Ipv4Address address);
bool on_link(const UnderlayConfig& underlay, const Ipv6Address& address);

void check_underlays(const Value& file, Report& report);

// Of a valid port: nothing where it has no address.
std::optional<UnderlayConfig> underlay_config(const Value& port);

}  // namespace sluice::config
