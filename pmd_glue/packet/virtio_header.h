// Virtio header: the unfinished offloads of a frame. A packet socket with PACKET_VNET_HDR puts it
// before received packets, and expects it before packets to be sent.
// Source: linux/virtio_net.h; virtio 1.2, 5.1.6. In the processor's byte order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dataplane/offload/unfinished.h"

namespace sluice::pmd::packet {

// Same layout as struct virtio_net_hdr of linux/virtio_net.h, which is not valid C++.
struct VirtioHeader {
    static constexpr uint8_t needs_checksum = 1;
    enum Kind : uint8_t { whole = 0, tcp4 = 1, tcp6 = 4, udp = 5, ecn_bit = 0x80 };

    uint8_t flags = 0;
    uint8_t kind = whole;
    uint16_t header_octets = 0;
    uint16_t segment_octets = 0;
    uint16_t checksum_start = 0;
    uint16_t checksum_offset = 0;
};
static_assert(sizeof(VirtioHeader) == 10);

inline offload::Unfinished unfinished_of(const VirtioHeader& header) {
    using offload::Segments;
    offload::Unfinished left;
    left.checksum = (header.flags & VirtioHeader::needs_checksum) != 0;
    left.checksum_start = header.checksum_start;
    left.checksum_offset = header.checksum_offset;
    left.segment_octets = header.segment_octets;
    const int kind = header.kind & ~VirtioHeader::ecn_bit;
    if (kind == VirtioHeader::tcp4) left.segments = Segments::tcp4;
    if (kind == VirtioHeader::tcp6) left.segments = Segments::tcp6;
    if (kind == VirtioHeader::udp) left.segments = Segments::udp;
    return left;
}

inline VirtioHeader virtio_header_of(const offload::Unfinished& left, std::size_t header_octets) {
    using offload::Segments;
    VirtioHeader header;
    if (left.checksum) header.flags = VirtioHeader::needs_checksum;
    if (left.segments == Segments::tcp4) header.kind = VirtioHeader::tcp4;
    if (left.segments == Segments::tcp6) header.kind = VirtioHeader::tcp6;
    if (left.segments == Segments::udp) header.kind = VirtioHeader::udp;
    header.header_octets = static_cast<uint16_t>(header_octets);
    header.segment_octets = left.segment_octets;
    header.checksum_start = left.checksum_start;
    header.checksum_offset = left.checksum_offset;
    return header;
}

}  // namespace sluice::pmd::packet
