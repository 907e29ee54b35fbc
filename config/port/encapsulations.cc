#include "config/port/encapsulations.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "config/port/device_words.h"
#include "config/port/tunnel_kinds.h"
#include "config/yaml/endpoint.h"
#include "config/yaml/values.h"

namespace sluice::config {

std::optional<Ipv4Address> ipv4_of(std::string_view text) {
    const std::vector<uint8_t> octets = ip_address(std::string(text));
    if (octets.size() != 4) return std::nullopt;
    return Ipv4Address{read_32(octets.data())};
}

std::optional<Ipv6Address> ipv6_of(std::string_view text) {
    const std::vector<uint8_t> octets = ip_address(std::string(text));
    if (octets.size() != sizeof(Ipv6Address)) return std::nullopt;
    return read_ipv6(octets.data());
}

std::optional<uint32_t> number_of(std::string_view text, uint32_t highest) {
    uint32_t number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || end != text.data() + text.size() || number > highest) {
        return std::nullopt;
    }
    return number;
}

bool is_station(Ipv4Address address) {
    const uint32_t first = address.bits >> 24;
    return first != 0 && first != 127 && first < 224;
}

bool is_station(const Ipv6Address& address) {
    Ipv6Address loopback;
    loopback.octets.back() = 1;
    constexpr std::array<uint8_t, 12> of_ipv4 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    return address.octets[0] != 0xFF && address != Ipv6Address{} && address != loopback &&
           !std::ranges::equal(std::span(address.octets).first(of_ipv4.size()), of_ipv4);
}

bool is_routed(Ipv4Address address) { return is_station(address); }

bool is_routed(const Ipv6Address& address) {
    return is_station(address) && !is_link_local(address);
}

bool is_link_local(const Ipv6Address& address) {
    return address.octets[0] == 0xFE && address.octets[1] >> 6 == 2;
}

std::string to_text(Ipv4Address address) {
    return fmt::format("{}.{}.{}.{}", address.bits >> 24, address.bits >> 16 & 0xFF,
                       address.bits >> 8 & 0xFF, address.bits & 0xFF);
}

std::string to_text(const Ipv6Address& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    ::inet_ntop(AF_INET6, address.octets.data(), text.data(), text.size());
    return text.data();
}

std::string to_text(const IpAddress& address) {
    return std::visit([](const auto& one) { return to_text(one); }, address);
}

bool is_tunnel_to_many(const Value& port) {
    const auto encapsulation = encapsulation_of(port);
    return encapsulation && leads_to_many(*encapsulation);
}

bool is_tunnel(const Value& port) {
    const DeviceTraits* const traits = traits_of_device(port["device"].text);
    return traits != nullptr && traits->is_tunnel();
}

std::optional<TunnelDevice> tunnel_device(const Value& port) {
    if (!port["device"].valid || !is_tunnel(port)) return std::nullopt;
    const std::string_view device = port["device"].text;
    const std::string_view scheme = scheme_of(device);
    const std::string_view rest = device.substr(scheme.size() + 1);
    const std::size_t end = tunnel_kind(scheme)->name_end(rest, port);
    if (end == rest.npos) return std::nullopt;
    return TunnelDevice{scheme, rest.substr(0, end), rest.substr(std::min(end + 1, rest.size()))};
}

std::optional<Encapsulation> encapsulation_of(const Value& port) {
    const auto device = tunnel_device(port);
    return device ? tunnel_kind(device->scheme)->read(device->path, port) : std::nullopt;
}

bool has_vnis(const Value& port) { return !port["vnis"].items.empty(); }

std::vector<VlanVni> networks_of(const Value& port) {
    const auto encapsulation = encapsulation_of(port);
    if (!encapsulation || !leads_to_many(*encapsulation)) return {};
    std::vector<VlanVni> networks;
    for (const Value& item : port["vnis"].items) {
        networks.push_back(
            {static_cast<VlanId>(item.table_key), static_cast<uint32_t>(item.number)});
    }
    if (networks.empty()) networks.push_back({.vni = facts_of(*encapsulation).vni.value_or(0)});
    return networks;
}

bool check_encapsulation(const Value& port, Report& report) {
    bool right = true;
    const auto fault = [&](const Value& value, std::string what, std::string remedy) {
        report.add(value.at, value.path, std::move(what), std::move(remedy));
        right = false;
    };
    const Value& device = port["device"];
    if (!device.valid) return false;
    const std::string_view scheme = scheme_of(std::string_view(device.text));
    for (const TunnelKind& kind : tunnel_kinds()) {
        for (const std::string_view key : kind.keys) {
            if (!port[key].written || kind.scheme == scheme) continue;
            fault(port[key], fmt::format("is only valid with {}:", kind.scheme), "leave it out");
        }
    }
    const TunnelKind* const kind = tunnel_kind(scheme);
    if (kind == nullptr) return right;
    if (!encapsulation_of(port)) {
        fault(device, fmt::format("{} is no tunnel", in_quotes(device.text)),
              "write " + kind->form());
    }
    if (kind->local_end.empty()) return right;
    const Value& local = port[kind->keys.front()];
    if (!local.valid) return false;
    if (!local.written) {
        fault(local, "is missing", fmt::format("write {}", kind->local_end));
    } else if (kind->check_local != nullptr) {
        if (auto wrong = kind->check_local(local.text)) {
            fault(local, std::move(wrong->what), std::move(wrong->remedy));
        }
    }
    return right;
}

}  // namespace sluice::config
