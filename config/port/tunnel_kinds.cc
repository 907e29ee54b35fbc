#include "config/port/tunnel_kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "config/device_kind.h"
#include "config/port/encapsulations.h"

namespace sluice::config {

namespace {

// Reads parts between commas. Returns nothing if a part is invalid, or there are more than `most`.
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

std::size_t last_slash(std::string_view rest, const Value&) {
    const std::size_t slash = rest.rfind('/');
    return slash == 0 ? rest.npos : slash;
}

// Checks that the address is that of another host.
template <class Address>
std::optional<WrongKey> wrong_remote(const Address& remote, const Address& own, uint8_t prefix,
                                     const UnderlayConfig& underlay, const std::string& name) {
    if (remote == own) {
        return WrongKey{"device",
                        fmt::format("{} is the address of {} itself", to_text(remote), name),
                        "name the other end"};
    }
    const bool is_near = on_link(underlay, remote);
    if (is_routed(remote) && (!is_near || is_host_of(remote, prefix))) return std::nullopt;
    return WrongKey{"device", fmt::format("{} is no address of a host", to_text(remote)),
                    "name the other end"};
}

// --- VXLAN over either version -------------------------------------------------------------------

// A text without a dot or colon is part of a port's name.
bool is_like_an_address(std::string_view text) { return text.find_first_of(".:") != text.npos; }

std::size_t end_before_vni(std::string_view rest, const Value& port) {
    if (has_vnis(port)) return rest.size();
    const std::size_t slash = last_slash(rest, port);
    if (slash == rest.npos) return slash;
    const std::size_t before = rest.rfind('/', slash - 1);
    const bool is_address =
        before != rest.npos && is_like_an_address(rest.substr(before + 1, slash - before - 1));
    return !is_address ? slash : before == 0 ? rest.npos : before;
}

std::string vxlan_form() {
    return fmt::format(
        "vxlan:PORT/ADDRESS/VNI with an IP address and a VNI of 1 to {}, or "
        "vxlan:PORT/VNI to many, or vxlan:PORT beside `vnis`",
        highest_vni);
}

std::optional<Encapsulation> read_vxlan(std::string_view path, const Value& port) {
    if (has_vnis(port)) return VxlanTunnel{};
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

TunnelFacts facts(const VxlanTunnel& vxlan) {
    return {.scheme = "vxlan",
            .path = leads_to_many(vxlan) ? "many" : to_text(vxlan.remote),
            .first = vxlan.remote,
            .vni = vxlan.vni != 0 ? std::optional(vxlan.vni) : std::nullopt};
}
std::optional<WrongKey> wrong_end(const VxlanTunnel& vxlan, const UnderlayConfig& underlay,
                                  const std::string& name) {
    return wrong_remote(vxlan.remote, *underlay.address, underlay.prefix, underlay, name);
}

TunnelFacts facts(const Vxlan6Tunnel& vxlan6) {
    return {.scheme = "vxlan",
            .path = to_text(vxlan6.remote),
            .first = vxlan6.remote,
            .vni = vxlan6.vni};
}
std::optional<WrongKey> wrong_end(const Vxlan6Tunnel& vxlan6, const UnderlayConfig& underlay,
                                  const std::string& name) {
    return wrong_remote(vxlan6.remote, *underlay.address6, underlay.prefix6, underlay, name);
}

// --- SRv6 ----------------------------------------------------------------------------------------

std::string srv6_form() {
    return fmt::format("srv6:PORT/SID[,SID...] with 1 to {} IPv6 addresses", most_segments);
}

std::optional<Ipv6Address> read_sid(std::string_view text) {
    const auto address = ipv6_of(text);
    return address && is_routed(*address) ? address : std::nullopt;
}

std::optional<Encapsulation> read_srv6(std::string_view path, const Value& port) {
    const auto list = list_of<Ipv6Address, most_segments>(path, read_sid);
    if (!list) return std::nullopt;
    return Srv6Tunnel{.segments = list->first,
                      .count = list->second,
                      .reduced = port["reduced_srh"].number != 0,
                      .local_sid = ipv6_of(port["local_sid"].text).value_or(Ipv6Address{})};
}

std::optional<WrongKey> check_sid(const std::string& text) {
    if (read_sid(text)) return std::nullopt;
    return WrongKey{"local_sid", fmt::format("{} is no SID", in_quotes(text)),
                    "write an IPv6 address such as 2001:db8:1::d2"};
}

std::span<const Ipv6Address> segments_of(const Srv6Tunnel& srv6) {
    return std::span(srv6.segments).first(srv6.count);
}

TunnelFacts facts(const Srv6Tunnel& srv6) {
    std::vector<std::string> sids;
    for (const Ipv6Address& sid : segments_of(srv6)) sids.push_back(to_text(sid));
    return {.scheme = "srv6",
            .path = fmt::format("{}", fmt::join(sids, ",")),
            .first = srv6.segments[0],
            .keys = {{"local_sid", to_text(srv6.local_sid)},
                     {"reduced_srh", fmt::format("{}", srv6.reduced)}},
            .sid = srv6.local_sid};
}
std::optional<WrongKey> wrong_end(const Srv6Tunnel& srv6, const UnderlayConfig& underlay,
                                  const std::string& name) {
    if (srv6.local_sid == *underlay.address6) {
        return WrongKey{"local_sid", fmt::format("is the address of {} itself", name),
                        "write an unused address"};
    }
    for (const Ipv6Address& sid : segments_of(srv6)) {
        if (sid != srv6.local_sid && sid != *underlay.address6) continue;
        return WrongKey{"device", fmt::format("{} is an address of this end", to_text(sid)),
                        "name the segments to the other end"};
    }
    return std::nullopt;
}

// --- MPLS ----------------------------------------------------------------------------------------

std::string mpls_form() {
    return fmt::format("mpls:PORT/LABEL[,LABEL...] with 1 to {} labels of {} to {}", most_labels,
                       lowest_label, highest_label);
}

std::optional<uint32_t> read_label(std::string_view text) {
    const auto label = number_of(text, highest_label);
    return label && *label >= lowest_label ? label : std::nullopt;
}

std::optional<Encapsulation> read_mpls(std::string_view path, const Value& port) {
    const auto list = list_of<uint32_t, most_labels>(path, read_label);
    if (!list) return std::nullopt;
    return MplsTunnel{.labels = list->first,
                      .count = list->second,
                      .control_word = port["control_word"].number != 0,
                      .entropy_label = port["entropy_label"].number != 0,
                      .local_label = static_cast<uint32_t>(port["local_label"].number)};
}

TunnelFacts facts(const MplsTunnel& mpls) {
    return {.scheme = "mpls",
            .path = fmt::format("{}", fmt::join(std::span(mpls.labels).first(mpls.count), ",")),
            .keys = {{"local_label", fmt::format("{}", mpls.local_label)},
                     {"control_word", fmt::format("{}", mpls.control_word)},
                     {"entropy_label", fmt::format("{}", mpls.entropy_label)}}};
}
std::optional<WrongKey> wrong_end(const MplsTunnel&, const UnderlayConfig&, const std::string&) {
    return std::nullopt;
}

// --- the table -----------------------------------------------------------------------------------

using Names = std::string_view;
constexpr std::array vxlan_keys = {Names("remotes"), Names("vnis")};
constexpr std::array srv6_keys = {Names("local_sid"), Names("reduced_srh")};
constexpr std::array mpls_keys = {Names("local_label"), Names("control_word"),
                                  Names("entropy_label")};

constexpr auto table = std::to_array<TunnelKind>({
    {.scheme = "vxlan",
     .keys = vxlan_keys,
     .form = vxlan_form,
     .name_end = end_before_vni,
     .read = read_vxlan},
    {.scheme = "srv6",
     .keys = srv6_keys,
     .form = srv6_form,
     .name_end = last_slash,
     .read = read_srv6,
     .local_end = "the SID that the other end sends to",
     .check_local = check_sid},
    {.scheme = "mpls",
     .keys = mpls_keys,
     .form = mpls_form,
     .name_end = last_slash,
     .read = read_mpls,
     .local_end = "the label that the other end puts at the bottom",
     .by_labels = true},
});
constexpr auto schemes_of_tunnels =
    schemes_where<[](const DeviceTraits& row) { return row.is_tunnel(); }>();
static_assert(std::ranges::equal(table, schemes_of_tunnels, {}, &TunnelKind::scheme),
              "each tunnel of config/device_kind.h has a row here, in its order");
static_assert(std::ranges::all_of(table,
                                  [](const TunnelKind& row) {
                                      return row.form != nullptr && row.name_end != nullptr &&
                                             row.read != nullptr &&
                                             row.keys.empty() <= row.local_end.empty();
                                  }),
              "a row has `form`, `name_end` and `read`, and with a `local_end` its key");

}  // namespace

std::span<const TunnelKind> tunnel_kinds() { return table; }

const TunnelKind* tunnel_kind(std::string_view scheme) {
    const auto* const found = std::ranges::find(table, scheme, &TunnelKind::scheme);
    return found == table.end() ? nullptr : found;
}

const TunnelKind& kind_of(const Encapsulation& encapsulation) {
    return *tunnel_kind(facts_of(encapsulation).scheme);
}

TunnelFacts facts_of(const Encapsulation& encapsulation) {
    return std::visit([](const auto& tunnel) { return facts(tunnel); }, encapsulation);
}

std::optional<WrongKey> wrong_end_of(const Encapsulation& encapsulation,
                                     const UnderlayConfig& underlay, const std::string& name) {
    return std::visit([&](const auto& tunnel) { return wrong_end(tunnel, underlay, name); },
                      encapsulation);
}

}  // namespace sluice::config
