#include "config/yaml/endpoint.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace sluice::config {

namespace {

// Returns a number from 1 to 65535 that is written without a sign or leading zeros.
std::optional<uint16_t> port_of(std::string_view text) {
    uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc() || end != text.data() + text.size() || text.starts_with('0'))
        return {};
    return port;
}

}  // namespace

std::vector<uint8_t> ip_address(const std::string& text) {
    std::vector<uint8_t> octets(16);
    if (::inet_pton(AF_INET6, text.c_str(), octets.data()) == 1) return octets;
    octets.resize(4);
    if (::inet_pton(AF_INET, text.c_str(), octets.data()) == 1) return octets;
    return {};
}

bool Endpoint::is_loopback() const {
    constexpr std::array<uint8_t, 16> one = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    return address.size() == 4 ? address[0] == 127 : std::ranges::equal(address, one);
}

std::optional<Endpoint> parse_endpoint(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return {};
    std::string_view host = text.substr(0, colon);
    const bool brackets = host.size() > 2 && host.starts_with('[') && host.ends_with(']');
    if (brackets) host = host.substr(1, host.size() - 2);
    const auto port = port_of(text.substr(colon + 1));
    Endpoint endpoint{ip_address(std::string(host)), port.value_or(0)};
    const std::size_t octets = brackets ? 16 : 4;
    if (!port || endpoint.address.size() != octets) return {};
    return endpoint;
}

std::string to_text(const Endpoint& endpoint) {
    const bool four = endpoint.address.size() == 4;
    std::array<char, INET6_ADDRSTRLEN> host{};
    ::inet_ntop(four ? AF_INET : AF_INET6, endpoint.address.data(), host.data(), host.size());
    return four ? fmt::format("{}:{}", host.data(), endpoint.port)
                : fmt::format("[{}]:{}", host.data(), endpoint.port);
}

}  // namespace sluice::config
