// LoopProbe: the frame by which a switch detects a loop: it receives its own probe. It is like
// LLDP, but is sent to a group address that every bridge forwards (no bridge forwards LLDP's):
// 03-53-4C-4F-4F-50, locally administered. The EtherType is 0x88B5, which 802 reserves for
// experiments, followed by a protocol identifier, a version, the sending switch and its port.
//
//   destination 6 | source 6 | [tags] | 88 B5 | "SLUICE" 6 | version 1 | switch 8 | port 2 | zeros
//
// Bound: other frames are ruled out by their first eight octets. Not here: the reaction to a
// received probe (control/loop_guard).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/types/address.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/experimental_ether_type.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/tag.h"

namespace sluice {

struct LoopProbe {
    uint64_t sender = 0;  // id of the sending switch; not 0
    PortIndex port = 0;

    friend bool operator==(const LoopProbe&, const LoopProbe&) = default;
};

inline constexpr MacAddress loop_probe_address{0x03534C4F4F50};
inline constexpr uint16_t loop_probe_ether_type = experimental_ether_type;
inline constexpr std::size_t loop_probe_octets = 60;
inline constexpr std::array<uint8_t, 7> loop_probe_protocol = {'S', 'L', 'U', 'I', 'C', 'E', 1};

// Reads a probe from a whole frame, to which bridges may have added up to two tags.
inline std::optional<LoopProbe> read_loop_probe(std::span<const uint8_t> octets) {
    constexpr std::size_t behind_type = 2 + loop_probe_protocol.size();
    std::size_t at = 12;
    if (octets.size() < at + 2 || read_address(octets.data()) != loop_probe_address) return {};
    for (int tag = 0; tag < 2 && is_tag(read_16(&octets[at])); ++tag) {
        at += tag_octets;
        if (octets.size() < at + 2) return {};
    }
    if (octets.size() < at + behind_type + 10) return {};
    const bool is_one =
        read_16(&octets[at]) == loop_probe_ether_type &&
        std::ranges::equal(loop_probe_protocol, octets.subspan(at + 2, loop_probe_protocol.size()));
    if (!is_one) return {};
    at += behind_type;
    LoopProbe probe;
    for (const uint8_t octet : octets.subspan(at, 8)) probe.sender = probe.sender << 8 | octet;
    const uint16_t port = read_16(&octets[at + 8]);
    if (probe.sender == 0 || port >= max_ports) return {};
    probe.port = static_cast<PortIndex>(port);
    return probe;
}

inline bool is_probe_of(uint64_t sender, std::span<const uint8_t> octets) {
    const std::optional<LoopProbe> probe = read_loop_probe(octets);
    return probe && probe->sender == sender;
}
// Whether a frame may be one of the switch's own probes, by the verdicts on its headers and its
// port. A port that refuses untagged frames may receive probes; a port that is administratively
// down, or where the spanning tree has cut the loop, may not.
constexpr bool may_be_probe(Drop of_headers, Drop refusal) {
    return refusal != Drop::ingress_down && refusal != Drop::stp_discarding &&
           (of_headers == Drop::none || of_headers == Drop::tag_required ||
            of_headers == Drop::tag_refused);
}

inline std::array<uint8_t, loop_probe_octets> frame_of(const LoopProbe& probe, MacAddress source) {
    std::array<uint8_t, loop_probe_octets> octets{};
    write_address(octets.data(), loop_probe_address);
    write_address(&octets[6], source);
    write_16(&octets[12], loop_probe_ether_type);
    std::ranges::copy(loop_probe_protocol, &octets[14]);
    std::size_t at = 14 + loop_probe_protocol.size();
    for (int shift = 56; shift >= 0; shift -= 8) {
        octets[at++] = static_cast<uint8_t>(probe.sender >> shift);
    }
    write_16(&octets[at], probe.port);
    return octets;
}

}  // namespace sluice
