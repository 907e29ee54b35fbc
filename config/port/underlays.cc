#include "config/port/underlays.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "config/port/encapsulations.h"
#include "config/port/tunnel_kinds.h"

namespace sluice::config {

namespace {

// The prefix length of an address without a network, such as that of a VTEP on a loopback
// interface. Only the file can name its router.
constexpr uint8_t alone = 32;
constexpr uint8_t alone6 = 128;

uint32_t host_bits(uint8_t prefix) {
    return prefix == 0 ? UINT32_MAX : static_cast<uint32_t>((uint64_t{1} << (32 - prefix)) - 1);
}

// Reads an address and the length of its network's prefix.
template <class Address, class Read>
std::optional<std::pair<Address, uint8_t>> parts_of(std::string_view text, uint32_t longest,
                                                    Read read) {
    const std::size_t slash = text.find('/');
    if (slash == text.npos) return std::nullopt;
    const std::optional<Address> address = read(text.substr(0, slash));
    const auto prefix = number_of(text.substr(slash + 1), longest);
    if (!address || !prefix) return std::nullopt;
    return std::pair(*address, static_cast<uint8_t>(*prefix));
}
auto network_of(const Value& value) { return parts_of<Ipv4Address>(value.text, 32, ipv4_of); }
auto network6_of(const Value& value) { return parts_of<Ipv6Address>(value.text, 128, ipv6_of); }

class UnderlayRules {
  public:
    UnderlayRules(const Value& file, Report& report) : file_(file), report_(report) {}

    void check() {
        for (const Value& port : file_["ports"].items) check_underlay(port);
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path, std::move(what), std::move(remedy));
    }

    void check_underlay(const Value& port) {
        const Value& underlay = port["underlay"];
        if (!underlay.written || !underlay.valid) return;
        if (!check_addresses(port)) return;
        if (is_tunnel(port)) {
            return fault(underlay, "is not supported on a tunnel port", "leave it out");
        }
        if (port["format"].text != "standard") {
            fault(underlay,
                  fmt::format("frames of format {} carry no IP headers", port["format"].text),
                  "write format: standard, or leave it out");
        }
        if (port["lanes"].items.size() > 1) {
            fault(port["lanes"], "several receive queues are not supported on underlays of tunnels",
                  "name one worker, or none");
        }
        if (port["pfc"]["by"].text == "nic" && !port["lossless"].items.empty()) {
            fault(port["pfc"]["by"], "nic is not supported on underlays of tunnels",
                  "write by: switch");
        }
        for (const Value& aggregation : file_["aggregations"].items) {
            for (const Value& member : aggregation["ports"].items) {
                if (member.text != port["name"].text) continue;
                fault(underlay,
                      fmt::format("is not supported on a member of {}", aggregation["name"].text),
                      "write it at a port of no aggregation");
            }
        }
        check_marks(port);
        const Value& pcp = underlay["pcp"];
        if (pcp.written && !underlay["vlan"].written) {
            fault(pcp, "needs a tag, but has no VLAN", "write vlan beside it, or leave it out");
        }
    }

    // Checks the addresses of both versions; returns whether both can be read.
    bool check_addresses(const Value& port) {
        const Value& underlay = port["underlay"];
        const Value& address = underlay["address"];
        const Value& address6 = underlay["address6"];
        if (!address.written && !address6.written) {
            fault(address, "is missing", "write one such as 192.0.2.1/24, or address6");
            return false;
        }
        // Each address is checked by itself, so that a fault of one is not reported at the other.
        const auto ipv4 = network_of(address);
        if (address.written &&
            (!ipv4 || !is_station(ipv4->first) || !is_host_of(ipv4->first, ipv4->second))) {
            fault(address,
                  fmt::format("{} is no IPv4 address of a host with a prefix length",
                              in_quotes(address.text)),
                  "write one such as 192.0.2.1/24; one of IPv6 is address6");
            return false;
        }
        const auto ipv6 = network6_of(address6);
        if (address6.written && (!ipv6 || !is_station(ipv6->first) || is_link_local(ipv6->first) ||
                                 !is_host_of(ipv6->first, ipv6->second))) {
            fault(address6,
                  fmt::format("{} is no IPv6 address of a host with a prefix length",
                              in_quotes(address6.text)),
                  "write one such as 2001:db8::1/64");
            return false;
        }
        const auto config = underlay_config(port);
        check_gateway(underlay["gateway"], address, [&](std::string_view text) {
            const auto router = ipv4_of(text);
            if (!router || !is_station(*router) || *router == *config->address) return false;
            return config->prefix == alone ||
                   (on_link(*config, *router) && is_host_of(*router, config->prefix));
        });
        check_gateway(underlay["gateway6"], address6, [&](std::string_view text) {
            const auto router = ipv6_of(text);
            return router && is_station(*router) && *router != *config->address6 &&
                   (config->prefix6 == alone6 || on_link(*config, *router));
        });
        return true;
    }

    template <class IsOfNetwork>
    void check_gateway(const Value& gateway, const Value& address, IsOfNetwork is_of_network) {
        if (!gateway.written || !gateway.valid) return;
        if (!address.written) {
            return fault(gateway, fmt::format("needs {}", address.name),
                         fmt::format("write {}, or leave it out", address.name));
        }
        if (is_of_network(gateway.text)) return;
        fault(gateway,
              fmt::format("{} is no other host on {}", in_quotes(gateway.text),
                          in_quotes(address.text)),
              "write the address of the router there");
    }

    // Only MPLS has a traffic class, and only IP has a DSCP.
    void check_marks(const Value& below) {
        bool by_labels = false;
        bool by_ip = false;
        for (const Value& port : file_["ports"].items) {
            const auto device = tunnel_device(port);
            if (!device || device->underlay != below["name"].text) continue;
            (tunnel_kind(device->scheme)->by_labels ? by_labels : by_ip) = true;
        }
        const auto check = [&](const Value& marks, bool is_of_any, bool of_labels) {
            if (!marks.written || !marks.valid || is_of_any) return;
            std::string kinds;
            for (const TunnelKind& kind : tunnel_kinds()) {
                if (kind.by_labels != of_labels) continue;
                kinds += fmt::format("{}{}:", kinds.empty() ? "" : " or ", kind.scheme);
            }
            fault(marks, fmt::format("no {} is over {}", kinds, below["name"].text),
                  "leave it out");
        };
        check(below["underlay"]["tc"], by_labels, true);
        check(below["underlay"]["dscp"], by_ip, false);
    }

    const Value& file_;
    Report& report_;
};

}  // namespace

bool is_host_of(Ipv4Address address, uint8_t prefix) {
    const uint32_t host = address.bits & host_bits(prefix);
    return prefix >= 31 || (host != 0 && host != host_bits(prefix));
}

bool is_host_of(const Ipv6Address& address, uint8_t prefix) {
    if (prefix >= 127) return true;
    for (std::size_t bit = prefix; bit < 128; ++bit) {
        if ((address.octets[bit / 8] >> (7 - bit % 8) & 1) != 0) return true;
    }
    return false;
}

bool on_link(const UnderlayConfig& underlay, Ipv4Address address) {
    return ((underlay.address->bits ^ address.bits) & ~host_bits(underlay.prefix)) == 0;
}

bool on_link(const UnderlayConfig& underlay, const Ipv6Address& address) {
    if (is_link_local(address)) return true;
    for (std::size_t bit = 0; bit < underlay.prefix6; ++bit) {
        const int differs = underlay.address6->octets[bit / 8] ^ address.octets[bit / 8];
        if ((differs >> (7 - bit % 8) & 1) != 0) return false;
    }
    return true;
}

UnderlayAddresses UnderlayConfig::addresses() const {
    return {.mac = {},
            .ipv4 = address.value_or(Ipv4Address{}),
            .ipv6 = address6.value_or(Ipv6Address{}),
            .vlan = vlan};
}

std::optional<IpAddress> UnderlayConfig::next_hop(const std::optional<IpAddress>& first) const {
    using Hop = std::optional<IpAddress>;
    const Hop router = gateway ? Hop(*gateway) : std::nullopt;
    const Hop router6 = gateway6 ? Hop(*gateway6) : std::nullopt;
    if (!first) return router ? router : router6;
    if (const auto* const ipv4 = std::get_if<Ipv4Address>(&*first)) {
        return address && on_link(*this, *ipv4) ? first : router;
    }
    return address6 && on_link(*this, std::get<Ipv6Address>(*first)) ? first : router6;
}

void check_underlays(const Value& file, Report& report) { UnderlayRules(file, report).check(); }

std::optional<UnderlayConfig> underlay_config(const Value& port) {
    const Value& underlay = port["underlay"];
    if (!underlay.written) return std::nullopt;
    UnderlayConfig config;
    if (const Value& written = underlay["address"]; written.written) {
        const auto network = network_of(written);
        if (!network) return std::nullopt;
        config.address = network->first;
        config.prefix = network->second;
    }
    if (const Value& written = underlay["address6"]; written.written) {
        const auto network = network6_of(written);
        if (!network) return std::nullopt;
        config.address6 = network->first;
        config.prefix6 = network->second;
    }
    if (!config.address && !config.address6) return std::nullopt;
    if (underlay["gateway"].written) config.gateway = ipv4_of(underlay["gateway"].text);
    if (underlay["gateway6"].written) config.gateway6 = ipv6_of(underlay["gateway6"].text);
    if (underlay["vlan"].written) config.vlan = static_cast<uint16_t>(underlay["vlan"].number);
    for (const Value& item : underlay["pcp"].items) {
        config.marks.pcps[static_cast<std::size_t>(item.table_key)] =
            static_cast<uint8_t>(item.number);
    }
    for (const Value& item : underlay["dscp"].items) {
        config.marks.dscps[static_cast<std::size_t>(item.table_key)] =
            static_cast<uint8_t>(item.number);
    }
    for (const Value& item : underlay["tc"].items) {
        config.marks.tcs[static_cast<std::size_t>(item.table_key)] =
            static_cast<uint8_t>(item.number);
    }
    return config;
}

}  // namespace sluice::config
