#include "dataplane/tunnel/decapsulator.h"

#include <array>

#include "dataplane/ingress/parse.h"
#include "dataplane/types/neighbour_format.h"
#include "dataplane/types/tag.h"

namespace sluice {
namespace {

constexpr auto refusal_names = std::to_array<std::string_view>(
    {"none", "malformed", "header_checksum", "length", "fragment", "no_vni", "unknown_vni",
     "other_source", "extension_header", "next_header", "segments_left", "unknown_label",
     "not_bottom", "control_word", "inner_short", "inner_tag", "ecn"});
static_assert(refusal_names.size() == refusal_kinds);

}  // namespace

std::string_view name_of(Refusal refusal) {
    return refusal_names[static_cast<std::size_t>(refusal)];
}

void Decapsulator::add(const Encapsulation& tunnel, const Bundle* bundle) {
    std::visit(ByKind{[&](const VxlanTunnel& vxlan) { vxlan_.add(vxlan, count_, bundle); },
                      [&](const Srv6Tunnel& srv6) { srv6_.add(srv6, count_); },
                      [&](const MplsTunnel& mpls) { mpls_.add(mpls, count_); },
                      [&](const Vxlan6Tunnel& vxlan6) { vxlan6_.add(vxlan6, count_); }},
               tunnel);
    ++count_;
}

// Handles IPv4 in a function of its own, so that code for other frames takes no registers from it.
[[gnu::flatten]] Arrival Decapsulator::look(std::span<uint8_t> octets) const {
    if (octets.size() < outer_network) return {};
    const MacAddress to = read_address(octets.data());
    if (own_.vlan != 0) [[unlikely]]
        return look_behind_tag(octets, to);
    if (read_16(&octets[outer_type]) == ipv4_ether_type) {
        return to == own_.mac ? vxlan_.look(octets) : Arrival{};
    }
    return look(octets, to);
}

[[gnu::noinline, gnu::flatten]] Arrival Decapsulator::look_behind_tag(std::span<uint8_t> octets,
                                                                      MacAddress to) const {
    if (!is_in_own_vlan(octets)) return {};
    // Skipping four octets puts the fields after the tag at their offsets in an untagged frame. The
    // addresses are then at wrong offsets, so `to` is passed.
    Arrival arrival = look(octets.subspan(outer_tag_octets), to);
    if (arrival.kind == ArrivalKind::carried) {
        arrival.offset = static_cast<uint16_t>(arrival.offset + outer_tag_octets);
    }
    return arrival;
}

bool Decapsulator::is_in_own_vlan(std::span<const uint8_t> octets) const {
    constexpr uint16_t vlan_id = 0x0FFF;
    return octets.size() >= outer_network + outer_tag_octets &&
           read_16(&octets[outer_type]) == ether_type_of(TagType::customer) &&
           (read_16(&octets[outer_type + 2]) & vlan_id) == own_.vlan;
}

[[gnu::noinline, gnu::flatten]] Arrival Decapsulator::look(std::span<uint8_t> octets,
                                                           MacAddress to) const {
    const uint16_t type = read_16(&octets[outer_type]);
    const bool to_own = to == own_.mac;
    if (type == ipv4_ether_type) return to_own ? vxlan_.look(octets) : Arrival{};
    if (type == arp_ether_type) return {.kind = kind_of_arp(octets)};
    if (type == ipv6_ether_type) {
        const ArrivalKind kind = kind_of_discovery(octets, to);
        if (kind != ArrivalKind::others || !to_own) return {.kind = kind};
        const Arrival by_segments = srv6_.look(octets);
        return by_segments.kind == ArrivalKind::others ? vxlan6_.look(octets) : by_segments;
    }
    return type == mpls_ether_type && to_own ? mpls_.look(octets) : Arrival{};
}

// Recognises ARP (RFC 826) for Ethernet and IPv4: as `neighbour` a request for, or a reply to, the
// port's address; as `announcement` a packet whose sender and target are the same address of
// another station.
ArrivalKind Decapsulator::kind_of_arp(std::span<const uint8_t> octets) const {
    if (octets.size() < outer_network + arp::octets || own_.ipv4.bits == 0) {
        return ArrivalKind::others;
    }
    const uint8_t* const packet = &octets[outer_network];
    if (read_32(packet) != arp::ethernet_and_ipv4 ||
        read_16(packet + arp::lengths) != arp::address_lengths) {
        return ArrivalKind::others;
    }
    const Ipv4Address sender{read_32(packet + arp::sender_ip)};
    const Ipv4Address target{read_32(packet + arp::target_ip)};
    if (target == own_.ipv4) return ArrivalKind::neighbour;
    return target == sender ? ArrivalKind::announcement : ArrivalKind::others;
}

// Recognises neighbour discovery (RFC 4861 4.3 and 4.4): as `neighbour` a solicitation for one of
// the port's addresses, and an advertisement sent to the port's own address, the source of its
// solicitations; as `announcement` an advertisement sent to a group. The hop limit must show that
// the packet was sent on this link (7.1).
ArrivalKind Decapsulator::kind_of_discovery(std::span<const uint8_t> octets, MacAddress to) const {
    if (octets.size() < outer_network + nd::options || own_.ipv6 == Ipv6Address{}) {
        return ArrivalKind::others;
    }
    const uint8_t* const ip = &octets[outer_network];
    const bool is_meant = to == own_.mac || to.is_group();
    if (ip[nd::next_header] != nd::icmpv6 || ip[nd::hop_limit] != nd::from_the_link || !is_meant) {
        return ArrivalKind::others;
    }
    if (ip[nd::icmp_header] == nd::advertisement) {
        if (to != own_.mac) return ArrivalKind::announcement;
        const bool is_for_own = read_ipv6(ip + nd::destination) == own_.ipv6;
        return is_for_own ? ArrivalKind::neighbour : ArrivalKind::others;
    }
    if (ip[nd::icmp_header] != nd::solicitation) return ArrivalKind::others;
    const Ipv6Address target = read_ipv6(ip + nd::target);
    const bool is_own = target == own_.ipv6 || srv6_.has(target);
    return is_own ? ArrivalKind::neighbour : ArrivalKind::others;
}

}  // namespace sluice
