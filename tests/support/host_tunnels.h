// Host tunnels: builds frames within a tunnel of their host, octet by octet, with each checksum
// computed over all octets that it covers.
#pragma once

#include <cstdint>

#include "dataplane/offload/unfinished.h"
#include "dataplane/types/address.h"
#include "tests/support/segments.h"

namespace sluice::test {

struct CarrierSpec {
    enum Kind : uint8_t { vxlan, gre, ip } kind = vxlan;
    bool is_ipv6 = false;
    bool has_sum = true;  // UDP or GRE has a checksum
    bool has_key = false;
    bool has_extension = false;  // an encapsulation limit, as in the kernel's tunnels over IPv6
    int tags = 0;
    uint16_t id = 0xFFFD;
};

// Returns the headers before the carried frame, or before its packet if the tunnel carries packets.
inline Octets headers_of(const CarrierSpec& spec, bool carries_ipv6) {
    const SegmentSpec below{
        .is_ipv6 = spec.is_ipv6, .is_tcp = false, .tags = spec.tags, .id = spec.id, .payload = 0};
    Octets octets = frame_of(below);
    octets.resize(below.transport());
    const std::size_t protocol = below.network() + (spec.is_ipv6 ? 6 : 9);
    if (spec.kind == CarrierSpec::gre) octets[protocol] = 47;
    if (spec.kind == CarrierSpec::ip) octets[protocol] = carries_ipv6 ? 41 : 4;
    if (spec.is_ipv6 && spec.has_extension) {
        octets.insert(octets.end(), {octets[protocol], 0, 4, 1, 4, 1, 1, 0});
        octets[protocol] = 60;
    }
    if (spec.kind == CarrierSpec::vxlan) {
        octets.insert(octets.end(), {0xC2, 0xB3, 0x12, 0xB5, 0, 0, 0, 0});
        octets.insert(octets.end(), {8, 0, 0, 0, 0, 0, 100, 0});
    }
    if (spec.kind == CarrierSpec::gre) {
        octets.push_back(
            static_cast<uint8_t>((spec.has_sum ? 0x80 : 0) | (spec.has_key ? 0x20 : 0)));
        octets.insert(octets.end(),
                      {0, uint8_t(carries_ipv6 ? 0x86 : 8), uint8_t(carries_ipv6 ? 0xDD : 0)});
        if (spec.has_sum) octets.insert(octets.end(), {0, 0, 0, 0});
        if (spec.has_key) octets.insert(octets.end(), {0, 0, 0, 5});
    }
    return octets;
}

// `number`: index of the frame within its segment.
inline Octets carried_frame_of(const CarrierSpec& spec, const Octets& inner,
                               const SegmentSpec& about, std::size_t number) {
    Octets octets = headers_of(spec, about.is_ipv6);
    const bool with_ethernet = spec.kind == CarrierSpec::vxlan;
    const auto begin = inner.begin() + (with_ethernet ? 0 : long(about.network()));
    octets.insert(octets.end(), begin, inner.end());
    const SegmentSpec below{.is_ipv6 = spec.is_ipv6, .is_tcp = false, .tags = spec.tags};
    const std::size_t network = below.network();
    const std::size_t carrier = below.transport() + (spec.is_ipv6 && spec.has_extension ? 8 : 0);
    if (spec.is_ipv6) {
        write_16(&octets[network + 4], static_cast<uint16_t>(octets.size() - network - 40));
    } else {
        write_16(&octets[network + 2], static_cast<uint16_t>(octets.size() - network));
        write_16(&octets[network + 4], static_cast<uint16_t>(spec.id + number));
        write_16(&octets[network + 10], 0);
        const uint16_t sum = plain_sum(std::span(octets).subspan(network, 20));
        write_16(&octets[network + 10], static_cast<uint16_t>(~sum));
    }
    const auto rest = [&] { return std::span(octets).subspan(carrier); };
    if (spec.kind == CarrierSpec::vxlan) {
        write_16(&octets[carrier + 4], static_cast<uint16_t>(octets.size() - carrier));
        const uint16_t addresses = spec.is_ipv6
                                       ? plain_sum(std::span(octets).subspan(network + 8, 32))
                                       : plain_sum(std::span(octets).subspan(network + 12, 8));
        const auto length = static_cast<uint32_t>(octets.size() - carrier);
        const uint16_t checksum =
            static_cast<uint16_t>(~plain_sum(rest(), uint32_t{addresses} + 17 + length));
        if (spec.has_sum) write_16(&octets[carrier + 6], checksum == 0 ? 0xFFFF : checksum);
    }
    if (spec.kind == CarrierSpec::gre && spec.has_sum) {
        write_16(&octets[carrier + 4], static_cast<uint16_t>(~plain_sum(rest())));
    }
    return octets;
}

// Returns a frame as a host sends it: the inner checksum is not finished, and the outer checksum is
// right for the finished frame.
inline Octets unfinished_frame_of(const CarrierSpec& spec, const SegmentSpec& inner) {
    Octets octets = carried_frame_of(spec, frame_of(inner), inner, 0);
    const Octets left = unfinished_frame_of(inner);
    const std::size_t behind = left.size() - checksum_at(inner);
    write_16(&octets[octets.size() - behind], read_16(&left[checksum_at(inner)]));
    return octets;
}

// Returns a segment as a host sends it: the lengths are those of the whole segment, and the outer
// checksum only tells whether UDP has one.
inline Octets unfinished_carried(const CarrierSpec& spec, const SegmentSpec& inner) {
    Octets octets = headers_of(spec, inner.is_ipv6);
    if (spec.kind == CarrierSpec::vxlan && spec.has_sum) write_16(&octets[octets.size() - 10], 1);
    const Octets whole = unfinished_frame_of(inner);
    const bool with_ethernet = spec.kind == CarrierSpec::vxlan;
    octets.insert(octets.end(), whole.begin() + (with_ethernet ? 0 : long(inner.network())),
                  whole.end());
    return octets;
}

inline offload::Unfinished left_of(const CarrierSpec& spec, const SegmentSpec& inner,
                                   uint16_t segment_octets) {
    offload::Unfinished left = left_of(inner, segment_octets);
    const bool with_ethernet = spec.kind == CarrierSpec::vxlan;
    left.checksum_start =
        static_cast<uint16_t>(left.checksum_start + headers_of(spec, inner.is_ipv6).size() -
                              (with_ethernet ? 0 : inner.network()));
    return left;
}

inline std::vector<Octets> segmented(const CarrierSpec& spec, const SegmentSpec& inner,
                                     std::size_t segment_octets) {
    std::vector<Octets> frames;
    for (const Octets& frame : segmented(inner, segment_octets)) {
        frames.push_back(carried_frame_of(spec, frame, inner, frames.size()));
    }
    return frames;
}

}  // namespace sluice::test
