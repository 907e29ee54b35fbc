#include "config/port/encapsulations.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <vector>

#include "config/port/device_words.h"
#include "config/yaml/endpoint.h"
#include "config/yaml/values.h"

namespace sluice::config {

namespace {

// A key of a tunnel, and the kind that has it.
struct OwnKey {
    std::string_view name;
    std::string_view scheme;
};
constexpr std::array own_keys = {OwnKey{"remotes", "vxlan"},     OwnKey{"vnis", "vxlan"},
                                 OwnKey{"local_sid", "srv6"},    OwnKey{"reduced_srh", "srv6"},
                                 OwnKey{"local_label", "mpls"},  OwnKey{"control_word", "mpls"},
                                 OwnKey{"entropy_label", "mpls"}};

// Parts between commas: nothing if one is none, or there are more than `most`.
template <class Part, std::size_t most, class Read>
std::optional<std::pair<std::array<Part, most>, uint8_t>> list_of(std::string_view text,
                                                                  Read read) {
    std::pair<std::array<Part, most>, uint8_t> list{};
    auto& [parts, count] = list;
    for (bool more = true; more;) {
        const std::size_t comma = text.find(',');
        const std::optional<Part> part = read(text.substr(0, comma));
        if (!part || count == most) return std::nullopt;
        parts[count++] = *part;
        more = comma != text.npos;
        if (more) text.remove_prefix(comma + 1);
    }
    return list;
}

std::optional<uint32_t> read_label(std::string_view text) {
    const auto label = number_of(text, highest_label);
    return label && *label >= lowest_label ? label : std::nullopt;
}

std::optional<Ipv6Address> station_of(std::string_view text) {
    const auto address = ipv6_of(text);
    return address && is_routed(*address) ? address : std::nullopt;
}

std::optional<Encapsulation> vxlan_of(std::string_view path) {
    const std::size_t slash = path.find('/');
    const bool to_many = slash == path.npos;
    const auto vni = number_of(to_many ? path : path.substr(slash + 1), highest_vni);
    if (!vni || *vni == 0) return std::nullopt;
    if (to_many) return VxlanTunnel{{}, *vni};
    const std::string_view remote = path.substr(0, slash);
    if (const auto address = ipv4_of(remote); address && address->bits != 0) {
        return VxlanTunnel{*address, *vni};
    }
    if (const auto address = ipv6_of(remote)) return Vxlan6Tunnel{*address, *vni};
    return std::nullopt;
}

std::optional<Encapsulation> srv6_of(std::string_view path, const Value& port) {
    const auto list = list_of<Ipv6Address, most_segments>(path, station_of);
    if (!list) return std::nullopt;
    return Srv6Tunnel{.segments = list->first,
                      .count = list->second,
                      .reduced = port["reduced_srh"].number != 0,
                      .local_sid = ipv6_of(port["local_sid"].text).value_or(Ipv6Address{})};
}

std::optional<Encapsulation> mpls_of(std::string_view path, const Value& port) {
    const auto list = list_of<uint32_t, most_labels>(path, read_label);
    if (!list) return std::nullopt;
    return MplsTunnel{.labels = list->first,
                      .count = list->second,
                      .control_word = port["control_word"].number != 0,
                      .entropy_label = port["entropy_label"].number != 0,
                      .local_label = static_cast<uint32_t>(port["local_label"].number)};
}

// Else it is part of the name of a port.
bool is_like_an_address(std::string_view text) { return text.find_first_of(".:") != text.npos; }

std::string form_of(std::string_view scheme) {
    if (scheme == "srv6") {
        return fmt::format("srv6:PORT/SID[,SID...] with 1 to {} IPv6 addresses", most_segments);
    }
    if (scheme == "mpls") {
        return fmt::format("mpls:PORT/LABEL[,LABEL...] with 1 to {} labels of {} to {}",
                           most_labels, lowest_label, highest_label);
    }
    return fmt::format(
        "vxlan:PORT/ADDRESS/VNI with an IP address and a VNI of 1 to {}, or "
        "vxlan:PORT/VNI to many, or vxlan:PORT beside `vnis`",
        highest_vni);
}

}  // namespace

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
    if (scheme == "vxlan" && has_vnis(port)) return TunnelDevice{scheme, rest, {}};
    std::size_t slash = rest.rfind('/');
    if (scheme == "vxlan" && slash != rest.npos && slash != 0) {
        const std::size_t before = rest.rfind('/', slash - 1);
        if (before != rest.npos && is_like_an_address(rest.substr(before + 1, slash - before - 1)))
            slash = before;
    }
    if (slash == rest.npos || slash == 0) return std::nullopt;
    return TunnelDevice{scheme, rest.substr(0, slash), rest.substr(slash + 1)};
}

std::optional<Encapsulation> encapsulation_of(const Value& port) {
    const auto device = tunnel_device(port);
    if (!device) return std::nullopt;
    if (device->scheme == "srv6") return srv6_of(device->path, port);
    if (device->scheme == "mpls") return mpls_of(device->path, port);
    if (has_vnis(port)) return VxlanTunnel{};
    return vxlan_of(device->path);
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
    if (networks.empty()) networks.push_back({.vni = vni_of(*encapsulation).value_or(0)});
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
    for (const OwnKey& key : own_keys) {
        if (port[key.name].written && key.scheme != scheme) {
            fault(port[key.name], fmt::format("is of {}: alone", key.scheme), "leave it out");
        }
    }
    if (!is_tunnel(port)) return right;
    if (!encapsulation_of(port)) {
        fault(device, fmt::format("{} is no tunnel", in_quotes(device.text)),
              "write " + form_of(scheme));
    }
    const Value& sid = port["local_sid"];
    if (scheme == "srv6" && sid.valid) {
        if (!sid.written) {
            fault(sid, "is missing", "write the SID that the other end sends to");
        } else if (!station_of(sid.text)) {
            fault(sid, fmt::format("{} is no SID", in_quotes(sid.text)),
                  "write an IPv6 address such as 2001:db8:1::d2");
        }
    }
    const Value& label = port["local_label"];
    if (scheme == "mpls" && !label.written) {
        fault(label, "is missing", "write the label that the other end puts at the bottom");
    }
    return right && sid.valid && label.valid;
}

std::string scheme_of(const Encapsulation& encapsulation) {
    if (leads_to_many(encapsulation) || vni_of(encapsulation)) return "vxlan";
    return std::holds_alternative<Srv6Tunnel>(encapsulation) ? "srv6" : "mpls";
}

std::string path_of(const Encapsulation& encapsulation) {
    if (const auto* const srv6 = std::get_if<Srv6Tunnel>(&encapsulation)) {
        std::vector<std::string> segments;
        for (const Ipv6Address& sid : std::span(srv6->segments).first(srv6->count)) {
            segments.push_back(to_text(sid));
        }
        return fmt::format("{}", fmt::join(segments, ","));
    }
    if (const auto* const mpls = std::get_if<MplsTunnel>(&encapsulation)) {
        return fmt::format("{}", fmt::join(std::span(mpls->labels).first(mpls->count), ","));
    }
    if (const auto* const vxlan6 = std::get_if<Vxlan6Tunnel>(&encapsulation)) {
        return to_text(vxlan6->remote);
    }
    const auto& vxlan = std::get<VxlanTunnel>(encapsulation);
    return leads_to_many(encapsulation) ? "many" : to_text(vxlan.remote);
}

std::string local_end_of(const Encapsulation& encapsulation) {
    if (const auto* const srv6 = std::get_if<Srv6Tunnel>(&encapsulation)) {
        return to_text(srv6->local_sid);
    }
    if (const auto* const mpls = std::get_if<MplsTunnel>(&encapsulation)) {
        return fmt::format("{}", mpls->local_label);
    }
    return fmt::format("{}", vni_of(encapsulation).value_or(0));
}

std::optional<uint32_t> vni_of(const Encapsulation& encapsulation) {
    if (const auto* const vxlan = std::get_if<VxlanTunnel>(&encapsulation)) {
        return vxlan->vni != 0 ? std::optional(vxlan->vni) : std::nullopt;
    }
    if (const auto* const vxlan6 = std::get_if<Vxlan6Tunnel>(&encapsulation)) return vxlan6->vni;
    return std::nullopt;
}

}  // namespace sluice::config
