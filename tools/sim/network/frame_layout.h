// FrameLayout: the octets of the frames that hosts send, and the fields that hosts read from
// received frames.
//
//    0  destination, source   as on any Ethernet; those of AFH and UFH if the format has them,
//                             with traffic class and key word (types/frame_format.h)
//   12  802.1Q tag            if the flow is tagged
//       CSIG tag              4 or 8 octets, if the sender adds one (csig_start.h)
//       EtherType             IPv4, or one that no switch looks beyond; AFH Lite has none
//       IPv4                  20 octets, for flows with ECN or a DSCP
//       UDP                   its ports, if flows of the same two hosts differ by a port
//   50  pair, answers_to      not read by switches, like RoCE's queue pair: the source at the
//                             sender, and the address for answers
// An answer is a frame of 64 octets that has the pair of the frame that it answers, and a tag if
// its format has tags. The kind of the answer follows the EtherType: a notice of congestion (CNP),
// or an acknowledgement. Of AFH and UFH only the presets are supported: all their fields are whole
// octets.
// Not done here: pause frames (dataplane/pfc/pause_frame.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/types/address.h"
#include "dataplane/types/frame_format.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/tag.h"
#include "tools/sim/network/csig_start.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

// First of IEEE 802's two types for local experiments.
inline constexpr uint16_t local_experiment = 0x88B5;
inline constexpr uint16_t answer_type = 0x88B6;  // second type for local experiments
inline constexpr uint16_t ipv4_type = 0x0800;
inline constexpr uint8_t udp_protocol = 17;
inline constexpr uint16_t discard_port = 9;  // RFC 863
inline constexpr uint16_t tag_type = ether_type_of(TagType::customer);
inline constexpr std::size_t type_at = tag_offset;
inline constexpr std::size_t pair_at = 50;
inline constexpr std::size_t answers_to_at = 54;

using FrameHeader = std::array<uint8_t, 60>;

enum class Answer : uint8_t { none, congestion, acknowledgement };

struct HeaderParts {
    FrameFormat format{};
    MacAddress to;  // a 16-bit id is its lowest 16 bits
    MacAddress from;
    uint8_t pcp = 0;
    uint8_t traffic_class = 0;  // only in formats that have one
    bool tagged = true;
    bool ip = false;
    bool ecn = false;  // ECT(0), RFC 3168
    uint8_t dscp = 0;
    uint32_t pair = 0;
    MacAddress answers_to;
    uint16_t source_port = 0;  // of UDP after IPv4; 0 without UDP
    CsigStart csig{};          // needs IPv4
};

inline void write_field(std::span<uint8_t> octets, const Field& field, uint64_t value) {
    for (std::size_t at = field.end() / 8; at > field.offset / 8U; value >>= 8) {
        octets[--at] = static_cast<uint8_t>(value);
    }
}
inline void write_destination(std::span<uint8_t> octets, const FrameFormat& format, MacAddress to) {
    if (format.destination.width == 48 && format.destination.offset % 8 == 0) [[likely]]
        return write_address(&octets[format.destination.offset / 8U], to);
    write_field(octets, format.destination, to.bits);
}

inline FrameHeader header_of(const HeaderParts& parts) {
    FrameHeader header{};
    const FrameFormat& format = parts.format;
    write_destination(header, format, parts.to);
    write_field(header, format.source, parts.from.bits);
    write_field(header, format.traffic_class, parts.traffic_class);
    write_field(header, format.key_word, has_short_ids(format.family) ? key_word_short_ids : 0);
    std::size_t at = type_at;
    if (parts.tagged) {
        write_16(&header[at], tag_type);
        write_16(&header[at + 2], static_cast<uint16_t>(parts.pcp << 13));
        at += tag_octets;
    }
    std::ranges::copy(parts.csig.tag(), header.begin() + static_cast<std::ptrdiff_t>(at));
    at += parts.csig.length;
    if (format.ether_type) write_16(&header[at], parts.ip ? ipv4_type : local_experiment);
    if (parts.ip) {
        uint8_t* const ip = &header[at + 2];
        ip[0] = 0x45;  // version 4, no options
        ip[1] = static_cast<uint8_t>(parts.dscp << 2 | (parts.ecn ? 2 : 0));
        if (parts.source_port != 0) {
            ip[9] = udp_protocol;
            write_16(ip + 20, parts.source_port);
            write_16(ip + 22, discard_port);
        }
    }
    write_16(&header[pair_at], static_cast<uint16_t>(parts.pair >> 16));
    write_16(&header[pair_at + 2], static_cast<uint16_t>(parts.pair));
    write_address(&header[answers_to_at], parts.answers_to);
    return header;
}

inline std::size_t type_at_of(std::span<const uint8_t> octets) {
    return read_16(&octets[type_at]) == tag_type ? type_at + tag_octets : type_at;
}
inline std::size_t type_at_of(const Packet& packet) {
    return type_at_of(packet.octets) + packet.csig;
}
// Writes the IPv4 length of a packet whose `length` is set.
inline void write_ip_length(Packet& packet) {
    const std::size_t network = type_at_of(packet) + 2;
    write_16(&packet.octets[network + 2], static_cast<uint16_t>(packet.length - network));
}
// Returns the signal in the packet's CSIG tag, which must be there.
inline CsigSignal csig_of(const Packet& packet, const CsigTags& tags) {
    const CsigForm form =
        packet.csig == octets_of(CsigForm::wide) ? CsigForm::wide : CsigForm::compact;
    return tags.read(&packet.octets[type_at_of(packet.octets)], form);
}
// Whether the packet is marked as congestion experienced (CE).
inline bool is_marked(const Packet& packet) {
    const std::size_t at = type_at_of(packet);
    return read_16(&packet.octets[at]) == ipv4_type && (packet.octets[at + 3] & 3) == 3;
}
inline Answer answer_of(const Packet& packet) {
    const std::size_t at = type_at_of(packet.octets);
    if (read_16(&packet.octets[at]) != answer_type) return Answer::none;
    return static_cast<Answer>(packet.octets[at + 2]);
}
inline uint32_t pair_of(const Packet& packet) {
    return static_cast<uint32_t>(read_16(&packet.octets[pair_at])) << 16 |
           read_16(&packet.octets[pair_at + 2]);
}

// Returns an answer's header without its receiver and pair.
inline FrameHeader answer_header(const FrameFormat& format, MacAddress from, uint8_t pcp) {
    FrameHeader header =
        header_of({.format = format, .from = from, .pcp = pcp, .tagged = format.ether_type});
    write_16(&header[type_at_of(header)], answer_type);
    return header;
}
// Writes an answer to the sender of `answered`, about that frame.
inline void write_answer(Packet& answer, Answer what, const Packet& answered,
                         const FrameHeader& header, const FrameFormat& format) {
    std::ranges::copy(header, answer.octets.begin());
    write_destination(answer.octets, format, read_address(&answered.octets[answers_to_at]));
    answer.octets[type_at_of(header) + 2] = static_cast<uint8_t>(what);
    std::ranges::copy(std::span(answered.octets).subspan(pair_at, 4),
                      answer.octets.begin() + pair_at);
    answer.length = 60;
}

}  // namespace sluice::sim
