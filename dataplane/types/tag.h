// Tag: reads the 802.1Q tag of a frame, and edits it when the frame is sent.
//
// The dataplane plans an edit but does not write it. From `plan` on, the frame's descriptor has the
// data pointer, length and IP offset of the edited frame. `rewrite_tag` writes the octets when the
// frame is sent, after the owner of the buffers has made sure that the buffer is not shared and
// that four octets before the frame are free. So a buffer that a flood shares is never written.
// Bound: twelve octets, the addresses, are moved, and a tag of four octets is written or removed
// after them. A pushed tag has a PCP by the frame's priority; a replaced tag keeps PCP and DEI
// (802.1Q 6.9.3, 6.9.4). A frame that loses its tag is padded with zeros if it would become shorter
// than a device may send (802.3 3.2.8). A frame that was received shorter than that was not on a
// wire, and is not padded.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>

#include "dataplane/types/address.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"

namespace sluice {

inline constexpr std::size_t tag_offset = 12;
inline constexpr int shortest_on_wire = 60;  // without FCS
inline constexpr std::size_t tag_octets = 4;

// 802.1Q table 9-1.
enum class TagType : uint8_t { customer, service };
constexpr uint16_t ether_type_of(TagType type) {
    return type == TagType::customer ? 0x8100 : 0x88A8;
}
constexpr bool is_tag(uint16_t ether_type) {
    return ether_type == ether_type_of(TagType::customer) ||
           ether_type == ether_type_of(TagType::service);
}

enum class TagEdit : uint8_t {
    none,
    pop,
    push_customer,
    push_service,
    set_customer,
    set_service,
    last = set_service
};

constexpr TagEdit push(TagType type) {
    return type == TagType::customer ? TagEdit::push_customer : TagEdit::push_service;
}
constexpr TagEdit set(TagType type) {
    return type == TagType::customer ? TagEdit::set_customer : TagEdit::set_service;
}
constexpr bool is_push(TagEdit edit) {
    return edit == TagEdit::push_customer || edit == TagEdit::push_service;
}
// Returns the number of octets that an edit adds to a frame; negative: the edit removes them.
constexpr int octets_added(TagEdit edit) {
    constexpr int octets = tag_octets;
    if (edit == TagEdit::pop) return -octets;
    return is_push(edit) ? octets : 0;
}

constexpr int length_after(TagEdit edit, int length) {
    const int edited = length + octets_added(edit);
    return length < shortest_on_wire || edited > shortest_on_wire ? edited : shortest_on_wire;
}

// The tag of a received frame, as its port interprets it.
struct TagForm {
    bool tagged = false;
    TagType type = TagType::customer;
    bool names_vlan = false;  // false: priority-tagged (VLAN 0)
};

// Returns the planned edit, which is above the VLAN in `frame.vlan` once the outputs are known.
constexpr TagEdit edit_of(const Frame& frame) {
    return static_cast<TagEdit>(frame.vlan >> 12 & 0x7);
}
// Set for a frame whose tag this switch pushed or will push. The bit stays set, since a frame that
// the device refuses is edited already.
inline constexpr VlanId own_tag = 0x8000;
constexpr bool has_own_tag(const Frame& frame) {
    return (frame.vlan & own_tag) != 0 || is_push(edit_of(frame));
}

// Plans an edit for a frame that has no planned edit yet.
inline void plan(Frame& frame, TagEdit edit) {
    const int added = octets_added(edit);
    assert(edit_of(frame) == TagEdit::none && frame.length + added > 0);
    frame.vlan = static_cast<VlanId>(frame.vlan | static_cast<unsigned>(edit) << 12);
    frame.data -= added;
    frame.length = static_cast<uint16_t>(length_after(edit, frame.length));
    if (frame.has_network()) {
        frame.network_offset = static_cast<uint8_t>(frame.network_offset + added);
    }
}

// Returns the present octets of a frame, without the planned edit. If the edit removes a tag and
// leaves the shortest frame that a device may send, the received frame had at least that many
// octets; up to four more are unknown and left out.
inline std::span<const uint8_t> octets_as_they_are(const Frame& frame) {
    const TagEdit edit = edit_of(frame);
    const int added = octets_added(edit);
    const bool may_be_padded = edit == TagEdit::pop && frame.length == shortest_on_wire;
    const int length = may_be_padded ? shortest_on_wire : frame.length - added;
    return {frame.data + added, static_cast<std::size_t>(length)};
}

// Writes the planned edit. Before the call the buffer has the `came` octets that were received;
// after the call the buffer has the octets that `frame` describes. `pcp`: PCP of a pushed tag.
inline void rewrite_tag(Frame& frame, uint16_t came, uint8_t pcp) {
    const TagEdit edit = edit_of(frame);
    uint8_t* const octets = frame.data;
    uint8_t* const before = octets + octets_added(edit);
    const VlanId vlan = frame.vlan & 0x0FFF;
    frame.vlan = has_own_tag(frame) ? vlan | own_tag : vlan;
    if (before != octets) std::memmove(octets, before, tag_offset);
    const int edited = came + octets_added(edit);
    if (frame.length > edited) {
        std::memset(octets + edited, 0, static_cast<std::size_t>(frame.length - edited));
    }
    if (edit == TagEdit::none || edit == TagEdit::pop) return;
    const bool customer = edit == TagEdit::push_customer || edit == TagEdit::set_customer;
    const int control = is_push(edit) ? pcp << 13 : read_16(octets + tag_offset + 2) & 0xF000;
    write_16(octets + tag_offset, ether_type_of(customer ? TagType::customer : TagType::service));
    write_16(octets + tag_offset + 2, static_cast<uint16_t>(control | vlan));
}

}  // namespace sluice
