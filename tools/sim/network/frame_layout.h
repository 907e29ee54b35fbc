// FrameLayout: the octets of the frames that hosts send, and what they read of those that come.
//
//   0   destination, source         as on any Ethernet
//   12  an 802.1Q tag               where the flow is tagged
//       EtherType                   IPv4, or one behind which nobody looks
//       IPv4                        20 octets, of flows that have it: for ECN
//       UDP                         its ports, where one tells flows of two hosts apart
//   48  pair, answers_to            beyond what a switch reads, as RoCE has its queue pair there:
//                                   which source of the sender it is, and where answers go
// An answer is a tagged frame of 64 octets with the pair that it is about, and behind its EtherType
// what it says: a notice of congestion (CNP), or an acknowledgement.
// Not here: pause frames (dataplane/pfc/pause_frame.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/address.h"
#include "dataplane/limits.h"
#include "dataplane/tag.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

inline constexpr uint16_t local_experiment = 0x88B5;  // IEEE 802: for anybody's own use
inline constexpr uint16_t answer_type = 0x88B6;       // the other one
inline constexpr uint16_t ipv4_type = 0x0800;
inline constexpr uint8_t udp_protocol = 17;
inline constexpr uint16_t discard_port = 9;  // RFC 863
inline constexpr uint16_t tag_type = ether_type_of(TagType::customer);
inline constexpr std::size_t type_at = tag_offset;
inline constexpr std::size_t pair_at = 48;
inline constexpr std::size_t answers_to_at = 52;

using FrameHeader = std::array<uint8_t, 58>;

enum class Answer : uint8_t { none, congestion, acknowledgement };

struct HeaderParts {
    MacAddress to;
    MacAddress from;
    Priority priority = 0;
    bool tagged = true;
    bool ip = false;
    bool ecn = false;  // ECT(0), RFC 3168
    uint32_t pair = 0;
    MacAddress answers_to;
    uint16_t source_port = 0;  // of UDP, behind IPv4; 0: there is none
};

inline FrameHeader header_of(const HeaderParts& parts) {
    FrameHeader header{};
    write_address(header.data(), parts.to);
    write_address(&header[6], parts.from);
    std::size_t at = type_at;
    if (parts.tagged) {
        write_16(&header[at], tag_type);
        write_16(&header[at + 2], static_cast<uint16_t>(parts.priority << 13));
        at += tag_octets;
    }
    write_16(&header[at], parts.ip ? ipv4_type : local_experiment);
    if (parts.ip) {
        uint8_t* const ip = &header[at + 2];
        ip[0] = 0x45;  // version 4, no options
        ip[1] = parts.ecn ? 2 : 0;
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
// Congestion experienced.
inline bool is_marked(const Packet& packet) {
    const std::size_t at = type_at_of(packet.octets);
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

// To who sent `heard`, about that.
inline void write_answer(Packet& answer, Answer what, const Packet& heard, MacAddress from,
                         Priority priority) {
    const FrameHeader header = header_of({.to = read_address(&heard.octets[answers_to_at]),
                                          .from = from,
                                          .priority = priority,
                                          .pair = pair_of(heard)});
    std::ranges::copy(header, answer.octets.begin());
    write_16(&answer.octets[type_at + tag_octets], answer_type);
    answer.octets[type_at + tag_octets + 2] = static_cast<uint8_t>(what);
    answer.length = 60;
    answer.priority = priority;
}

}  // namespace sluice::sim
