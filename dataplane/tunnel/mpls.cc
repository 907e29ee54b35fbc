#include "dataplane/tunnel/mpls.h"

#include <algorithm>

#include "dataplane/tunnel/carried_frame.h"

namespace sluice {
namespace mpls_layout {

// An entry of the stack (RFC 3032 2.1): label 20 bits, traffic class 3, bottom 1, TTL 8.
constexpr std::size_t entry_octets = 4;
constexpr std::size_t word_octets = 4;  // octets of the control word
constexpr uint32_t is_bottom = 1U << 8;
constexpr uint32_t time_to_live = 255;
constexpr uint32_t entropy_indicator = 7;  // RFC 6790 4.1

constexpr uint32_t label_in(uint32_t entry) { return entry >> 12; }

}  // namespace mpls_layout

MplsHeader::MplsHeader(const MplsTunnel& tunnel, const UnderlayAddresses& here)
    : size_(outer_octets(tunnel)) {
    using namespace mpls_layout;
    uint8_t* const octets = octets_.data();
    write_address(octets + 6, here.mac);
    write_16(octets + outer_type, mpls_ether_type);
    std::size_t at = outer_network;
    const auto add = [&](uint32_t label, uint32_t rest) {
        write_32(octets + at, label << 12 | rest);
        at += entry_octets;
    };
    for (std::size_t label = 0; label + 1 < tunnel.count; ++label) {
        add(tunnel.labels[label], time_to_live);
    }
    if (tunnel.entropy_label) {
        add(entropy_indicator, time_to_live);
        entropy_at_ = at;
        add(0, 0);  // TTL 0: no router forwards by this label (RFC 6790 4.2)
    }
    add(tunnel.labels[tunnel.count - 1], is_bottom | time_to_live);
    stack_end_ = at;
}

void MplsHeader::patch(uint8_t* octets, const FrameMarks& marks) const {
    using namespace mpls_layout;
    if (entropy_at_ != 0) write_32(octets + entropy_at_, label_of(marks.flow) << 12);
    for (std::size_t at = outer_network; at < stack_end_; at += entry_octets) {
        octets[at + 2] = static_cast<uint8_t>(octets[at + 2] | marks.tc << 1);
    }
}

Arrival MplsEnds::look(std::span<uint8_t> octets) const {
    using namespace mpls_layout;
    if (count_ == 0) return {};
    std::size_t at = outer_network;
    uint32_t entry = 0;
    const auto read_entry = [&] {
        if (octets.size() < at + entry_octets) return false;
        entry = read_32(&octets[at]);
        at += entry_octets;
        return true;
    };
    if (!read_entry()) return refused(Refusal::malformed);
    if (label_in(entry) == entropy_indicator) {
        const uint32_t indicator = entry;
        if (!read_entry()) return refused(Refusal::malformed);
        if (((indicator | entry) & is_bottom) != 0 || !read_entry()) {
            return refused(Refusal::malformed);
        }
    }
    const auto ends = std::span(ends_).first(count_);
    const auto end = std::ranges::find(ends, label_in(entry), &End::label);
    if (end == ends.end()) return refused(Refusal::unknown_label);
    if ((entry & is_bottom) == 0) return refused(Refusal::not_bottom);
    if (end->control_word) {
        if (octets.size() < at + word_octets) return refused(Refusal::malformed);
        if (octets[at] >> 4 != 0) return refused(Refusal::control_word);
        at += word_octets;
    }
    return take_out(octets, {at, octets.size() - at}, EcnField::not_ect, end->number);
}

}  // namespace sluice
