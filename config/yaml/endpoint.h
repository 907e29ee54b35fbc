// Endpoint: an address and a port to listen on, `127.0.0.1:9475` or `[::1]:9475`. Names are not
// accepted, as their addresses depend on a resolver.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

struct Endpoint {
    std::vector<uint8_t> address;  // 4 or 16 octets
    uint16_t port = 0;

    // Whether only this machine can reach the endpoint.
    [[nodiscard]] bool is_loopback() const;
};

std::optional<Endpoint> parse_endpoint(std::string_view text);
std::string to_text(const Endpoint& endpoint);

// Returns an IPv4 or IPv6 address as octets in network order; empty if the text is no address.
std::vector<uint8_t> ip_address(const std::string& text);

}  // namespace sluice::config
