#include "dataplane/tunnel/encapsulator.h"

#include <cassert>
#include <cstring>

#include "dataplane/forward/flow.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/tunnel/carried_frame.h"
#include "dataplane/types/tag.h"

namespace sluice {

Encapsulator::Encapsulator(const Encapsulation& tunnel, const UnderlayAddresses& here,
                           const OuterMarks& marks, uint64_t seed)
    : octets_(outer_octets(tunnel)),
      tag_(here.vlan != 0 ? outer_tag_octets : 0),
      vlan_(here.vlan),
      marks_(marks),
      seed_(seed) {
    octets_ += tag_;
    const auto choose = [&]<class Tunnel>(const Tunnel& one) {
        header_.emplace<typename Tunnel::Header>(one, here);
        names_flows_ = one.names_flows();
    };
    std::visit(choose, tunnel);
}

// Writes the headers of one kind of tunnel. All steps are inlined: calls would cost as much as the
// steps, and one function for all kinds would run out of registers. The fields that all frames of a
// burst share are written once, to a template. So the headers of a frame are copied from memory
// that was not just written.
template <class Header>
[[gnu::noinline, gnu::flatten]] void Encapsulator::write_by(const Header& header,
                                                            std::span<const Frame> burst,
                                                            MacAddress next_hop) const {
    std::array<uint8_t, most_outer_octets> common;
    std::memcpy(common.data(), header.octets(), header.size());
    write_address(common.data(), next_hop);
    for (const Frame& frame : burst) {
        assert(frame.length >= octets_ && frame.priority < max_priorities);
        uint8_t* const start = frame.data + tag_;
        std::memcpy(start, common.data(), header.size());
        const std::span<const uint8_t> whole(frame.data, frame.length);
        header.patch(start, marks_of(whole.subspan(octets_), frame.priority));
        if (tag_ != 0) [[unlikely]]
            put_tag(frame.data, common.data(), frame.priority);
    }
}

// Copies the fields that all frames share from a template that is not written to, and then writes
// the fields of the frame.
[[gnu::noinline, gnu::flatten]] void Encapsulator::write_each(std::span<const Frame> burst,
                                                              std::span<const VtepWay> ways) const {
    assert(burst.size() <= ways.size() && std::holds_alternative<VxlanHeader>(header_));
    const auto& header = *std::get_if<VxlanHeader>(&header_);
    for (std::size_t n = 0; n < burst.size(); ++n) {
        const Frame& frame = burst[n];
        uint8_t* const start = frame.data + tag_;
        std::memcpy(start, header.octets(), vxlan_octets);
        write_address(start, ways[n].next_hop);
        const std::span<const uint8_t> whole(frame.data, frame.length);
        header.patch_to(start, marks_of(whole.subspan(octets_), frame.priority), ways[n]);
        if (tag_ != 0) [[unlikely]]
            put_tag(frame.data, start, frame.priority);
    }
}

// Writes the tag, and the addresses before it.
void Encapsulator::put_tag(uint8_t* octets, const uint8_t* addresses, Priority priority) const {
    std::memmove(octets, addresses, outer_type);
    write_16(octets + outer_type, ether_type_of(TagType::customer));
    write_16(octets + outer_type + 2, static_cast<uint16_t>(marks_.pcps[priority] << 13 | vlan_));
}

void Encapsulator::write(std::span<const Frame> burst, MacAddress next_hop) const {
    std::visit([&](const auto& header) { write_by(header, burst, next_hop); }, header_);
}

FrameMarks Encapsulator::marks_of(std::span<const uint8_t> inner, Priority priority) const {
    if (!names_flows_) return {.carried = inner.size(), .tc = marks_.tcs[priority]};
    const Inside inside = look_inside(inner);
    return {
        .carried = inner.size(),
        .flow = inside.flow,
        .tos = static_cast<uint8_t>(marks_.dscps[priority] << 2 | static_cast<uint8_t>(inside.ecn)),
        .tc = marks_.tcs[priority]};
}

// Reads the flow and ECN of a carried frame. Most frames are untagged IPv4 without options, which
// needs few steps; others are parsed.
Encapsulator::Inside Encapsulator::look_inside(std::span<const uint8_t> inner) const {
    constexpr std::size_t network = outer_network;
    constexpr uint32_t plain_ipv4 = uint32_t{ipv4_ether_type} << 16 | 0x45 << 8;
    const bool is_plain = inner.size() >= network + Flow::plain_ipv4_octets &&
                          (read_32(&inner[outer_type]) & 0xFFFF'FF00) == plain_ipv4;
    if (!is_plain) [[unlikely]]
        return look_further_inside(inner);
    return {.flow = Flow::of_plain_ipv4(&inner[network], seed_),
            .ecn = static_cast<EcnField>(inner[network + 1] & 3)};
}

[[gnu::noinline, gnu::flatten]] Encapsulator::Inside Encapsulator::look_further_inside(
    std::span<const uint8_t> inner) const {
    const std::size_t in_front = retry_octets_of(inner);
    const auto network = static_cast<uint8_t>(network_offset_of(inner.subspan(in_front)));
    const auto key = [&](std::size_t at) {
        return Fdb::key_of(VlanId{0}, read_address(&inner[at]));
    };
    const Flow flow(DistributionHash::l4, seed_);
    return {.flow = flow(key(6), key(0), inner, in_front == 0 ? network : uint8_t{0}),
            .ecn = network != 0 ? read_ecn(&inner[in_front + network]) : EcnField::not_ect};
}

}  // namespace sluice
