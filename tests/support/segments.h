// Segments: TCP and UDP frames and segments for tests of offload/, and the frames that segmentation
// makes of them, built anew octet by octet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dataplane/offload/unfinished.h"
#include "dataplane/types/address.h"
#include "tests/support/octets.h"

namespace sluice::test {

struct SegmentSpec {
    bool is_ipv6 = false;
    bool is_tcp = true;
    int tags = 0;
    std::size_t ip_options = 0;    // octets of IPv4 options, a multiple of 4
    std::size_t tcp_options = 12;  // octets of TCP options, a multiple of 4
    uint8_t flags = 0x10;
    uint16_t id = 0xFFFE;
    uint32_t sequence = 0xFFFFFF00;
    std::size_t payload = 100;
    uint8_t first_octet = 1;  // first octet of the payload; each next one is 1 higher

    [[nodiscard]] std::size_t network() const { return 14 + 4 * static_cast<std::size_t>(tags); }
    [[nodiscard]] std::size_t transport() const {
        return network() + (is_ipv6 ? 40 : 20 + ip_options);
    }
    [[nodiscard]] std::size_t headers() const {
        return transport() + (is_tcp ? 20 + tcp_options : 8);
    }
};

inline uint16_t plain_sum(std::span<const uint8_t> octets, uint32_t sum = 0) {
    for (std::size_t at = 0; at < octets.size(); ++at) {
        sum += at % 2 == 0 ? static_cast<uint32_t>(octets[at]) << 8 : octets[at];
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    return static_cast<uint16_t>(sum);
}

inline uint16_t pseudo_sum(const Octets& frame, const SegmentSpec& spec) {
    const std::span octets(frame);
    const uint16_t addresses = spec.is_ipv6 ? plain_sum(octets.subspan(spec.network() + 8, 32))
                                            : plain_sum(octets.subspan(spec.network() + 12, 8));
    const auto length = static_cast<uint32_t>(frame.size() - spec.transport());
    const Octets rest{0, static_cast<uint8_t>(spec.is_tcp ? 6 : 17),
                      static_cast<uint8_t>(length >> 8), static_cast<uint8_t>(length)};
    return plain_sum(rest, addresses);
}

inline std::size_t checksum_at(const SegmentSpec& spec) {
    return spec.transport() + (spec.is_tcp ? 16 : 6);
}

// Returns a whole frame, of any length, with right checksums.
inline Octets frame_of(const SegmentSpec& spec) {
    Octets octets(spec.headers() + spec.payload);
    write_address(octets.data(), station(1));
    write_address(&octets[6], station(0));
    for (std::size_t tag = 0; tag < static_cast<std::size_t>(spec.tags); ++tag) {
        write_16(&octets[12 + 4 * tag], tag == 0 && spec.tags == 2 ? 0x88A8 : 0x8100);
        write_16(&octets[14 + 4 * tag], static_cast<uint16_t>(0x6005 + tag));
    }
    const std::size_t network = spec.network();
    write_16(&octets[network - 2], spec.is_ipv6 ? 0x86DD : 0x0800);
    const std::size_t packet = octets.size() - network;
    const uint8_t protocol = spec.is_tcp ? 6 : 17;
    if (spec.is_ipv6) {
        octets[network] = 0x60;
        write_16(&octets[network + 4], static_cast<uint16_t>(packet - 40));
        octets[network + 6] = protocol;
        octets[network + 7] = 64;
        for (std::size_t at = 0; at < 32; ++at) {
            octets[network + 8 + at] = static_cast<uint8_t>(0x20 + at);
        }
    } else {
        octets[network] = static_cast<uint8_t>(0x45 + spec.ip_options / 4);
        write_16(&octets[network + 2], static_cast<uint16_t>(packet));
        write_16(&octets[network + 4], spec.id);
        octets[network + 6] = 0x40;
        octets[network + 8] = 64;
        octets[network + 9] = protocol;
        write_32(&octets[network + 12], 0xC6336401);
        write_32(&octets[network + 16], 0xC6336402);
        for (std::size_t at = 0; at < spec.ip_options; ++at) octets[network + 20 + at] = 1;
        const auto header = std::span(octets).subspan(network, 20 + spec.ip_options);
        write_16(&octets[network + 10], static_cast<uint16_t>(~plain_sum(header)));
    }
    const std::size_t transport = spec.transport();
    write_16(&octets[transport], 4000);
    write_16(&octets[transport + 2], 5001);
    if (spec.is_tcp) {
        write_32(&octets[transport + 4], spec.sequence);
        write_32(&octets[transport + 8], 0x01020304);
        octets[transport + 12] = static_cast<uint8_t>((20 + spec.tcp_options) / 4 << 4);
        octets[transport + 13] = spec.flags;
        write_16(&octets[transport + 14], 502);
        for (std::size_t at = 0; at < spec.tcp_options; ++at) octets[transport + 20 + at] = 1;
    } else {
        write_16(&octets[transport + 4], static_cast<uint16_t>(octets.size() - transport));
    }
    for (std::size_t at = 0; at < spec.payload; ++at) {
        octets[spec.headers() + at] = static_cast<uint8_t>(spec.first_octet + at % 251);
    }
    const uint16_t sum = plain_sum(std::span(octets).subspan(transport), pseudo_sum(octets, spec));
    const auto checksum = static_cast<uint16_t>(~sum);
    const bool spells_none = checksum == 0 && !spec.is_tcp;
    write_16(&octets[checksum_at(spec)], spells_none ? uint16_t{0xFFFF} : checksum);
    return octets;
}

inline offload::Unfinished left_of(const SegmentSpec& spec, uint16_t segment_octets) {
    return {.checksum = true,
            .checksum_start = static_cast<uint16_t>(spec.transport()),
            .checksum_offset = static_cast<uint16_t>(spec.is_tcp ? 16 : 6),
            .segments = !spec.is_tcp   ? offload::Segments::udp
                        : spec.is_ipv6 ? offload::Segments::tcp6
                                       : offload::Segments::tcp4,
            .segment_octets = segment_octets};
}

// Returns a frame as a host sends it: with the sum of the pseudo-header in place of the checksum.
inline Octets unfinished_frame_of(const SegmentSpec& spec) {
    Octets octets = frame_of(spec);
    write_16(&octets[checksum_at(spec)], pseudo_sum(octets, spec));
    return octets;
}

// Returns the frames that segmentation makes of the segment.
inline std::vector<Octets> segmented(const SegmentSpec& whole, std::size_t segment_octets) {
    const Octets octets = frame_of(whole);
    std::vector<Octets> frames;
    for (std::size_t done = 0; done < whole.payload; done += segment_octets) {
        SegmentSpec part = whole;
        part.payload = std::min(segment_octets, whole.payload - done);
        part.id = static_cast<uint16_t>(whole.id + frames.size());
        part.sequence = static_cast<uint32_t>(whole.sequence + done);
        const bool is_last = done + part.payload == whole.payload;
        if (!is_last) part.flags = static_cast<uint8_t>(part.flags & ~0x09);
        if (done != 0) part.flags = static_cast<uint8_t>(part.flags & ~0x80);
        Octets frame = frame_of(part);
        // The payload continues that of the frame before, so the checksum differs.
        std::copy_n(&octets[whole.headers() + done], part.payload, &frame[part.headers()]);
        write_16(&frame[checksum_at(part)], 0);
        const uint16_t sum =
            plain_sum(std::span(frame).subspan(part.transport()), pseudo_sum(frame, part));
        const auto checksum = static_cast<uint16_t>(~sum);
        const bool spells_none = checksum == 0 && !part.is_tcp;
        write_16(&frame[checksum_at(part)], spells_none ? uint16_t{0xFFFF} : checksum);
        frames.push_back(std::move(frame));
    }
    return frames;
}

}  // namespace sluice::test
