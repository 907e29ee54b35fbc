#include "dataplane/tunnel/encapsulator.h"

#include <cstring>

#include "dataplane/forward/flow.h"
#include "dataplane/tag.h"
#include "dataplane/tunnel/carried_frame.h"

namespace sluice {

Encapsulator::Encapsulator(const Encapsulation& tunnel, const UnderlayAddresses& here,
                           const OuterMarks& marks, uint64_t seed)
    : octets_(outer_octets(tunnel)),
      tag_(here.vlan != 0 ? outer_tag_octets : 0),
      vlan_(here.vlan),
      marks_(marks),
      seed_(seed) {
    octets_ += tag_;
    std::visit(
        ByKind{[&](const VxlanTunnel& vxlan) { header_.emplace<VxlanHeader>(vxlan, here); },
               [&](const Srv6Tunnel& srv6) { header_.emplace<Srv6Header>(srv6, here); },
               [&](const MplsTunnel& mpls) {
                   header_.emplace<MplsHeader>(mpls, here);
                   names_flows_ = mpls.entropy_label;
               },
               [&](const Vxlan6Tunnel& vxlan6) { header_.emplace<Vxlan6Header>(vxlan6, here); }},
        tunnel);
}

// One function of many short steps for each kind: calls between them would cost as much as the
// steps, and in one with the others there are too few registers for them.
template <class Header>
[[gnu::noinline, gnu::flatten]] void Encapsulator::write_by(const Header& header, uint8_t* octets,
                                                            std::span<const uint8_t> inner,
                                                            Priority priority,
                                                            MacAddress next_hop) const {
    uint8_t* const start = octets + tag_;
    std::memcpy(start, header.octets(), header.size());
    write_address(start, next_hop);
    header.patch(start, marks_of(inner, priority));
    if (tag_ != 0) put_tag(octets, priority);
}

// The addresses move to the front of it.
void Encapsulator::put_tag(uint8_t* octets, Priority priority) const {
    std::memmove(octets, octets + outer_tag_octets, outer_type);
    write_16(octets + outer_type, ether_type_of(TagType::customer));
    write_16(octets + outer_type + 2, static_cast<uint16_t>(marks_.pcps[priority] << 13 | vlan_));
}

void Encapsulator::write(std::span<uint8_t> outer, std::span<const uint8_t> inner,
                         Priority priority, MacAddress next_hop) const {
    std::visit(
        [&](const auto& header) { write_by(header, outer.data(), inner, priority, next_hop); },
        header_);
}

void Encapsulator::write(std::span<const Frame> burst, MacAddress next_hop) const {
    std::visit(
        [&](const auto& header) {
            for (const Frame& frame : burst) {
                const std::span<const uint8_t> whole(frame.data, frame.length);
                write_by(header, frame.data, whole.subspan(octets_), frame.priority, next_hop);
            }
        },
        header_);
}

FrameMarks Encapsulator::marks_of(std::span<const uint8_t> inner, Priority priority) const {
    if (!names_flows_) return {.carried = inner.size(), .tc = marks_.tcs[priority]};
    const auto network = static_cast<uint8_t>(network_offset_of(inner));
    const EcnField ecn = network != 0 ? read_ecn(&inner[network]) : EcnField::not_ect;
    const auto key = [&](std::size_t at) {
        return Fdb::key_of(VlanId{0}, read_address(&inner[at]));
    };
    const Flow flow(DistributionHash::l4, seed_);
    return {.carried = inner.size(),
            .flow = flow(key(6), key(0), inner, network),
            .tos = static_cast<uint8_t>(marks_.dscps[priority] << 2 | static_cast<uint8_t>(ecn)),
            .tc = marks_.tcs[priority]};
}

}  // namespace sluice
