#include "dataplane/offload/join.h"

#include <cstring>

#include "dataplane/types/address.h"

namespace sluice::offload {
namespace {

constexpr std::size_t sequence_offset = 4;  // in the TCP header
constexpr std::size_t window_offset = 14;
constexpr std::size_t urgent_offset = 18;
constexpr std::size_t least_tcp = 20;
constexpr uint8_t acknowledgement = 0x10;
constexpr uint8_t push = 0x08;
// Length of a segment with all its headers: devices of the kernel accept less than 64 KiB.
constexpr std::size_t longest_segment = 65535;
// Devices segment frames with one tag, not with two.
constexpr std::size_t farthest_network = 14 + 4;

// 0 and 0xFFFF are the same number in ones' complement: segmentation may write either.
bool has_two_spellings(uint16_t checksum) { return checksum == 0 || checksum == 0xFFFF; }

bool is_right(std::span<const uint8_t> frame, const TransportFrame& at, Checksum checksum) {
    if (!at.is_ipv6) {
        if (has_two_spellings(read_16(&frame[at.network + 10U]))) return false;
        OnesSum sum;
        sum.add(frame.subspan(at.network, at.transport - at.network));
        if (!sum.is_right()) return false;
    }
    if (has_two_spellings(read_16(&frame[at.checksum_place()]))) return false;
    if (checksum == Checksum::right) return true;
    OnesSum sum = pseudo_header_sum(frame, at, frame.size() - at.transport);
    sum.add(frame.subspan(at.transport));
    return sum.is_right();
}

bool equal(const uint8_t* one, const uint8_t* other, std::size_t begin, std::size_t end) {
    return std::memcmp(one + begin, other + begin, end - begin) == 0;
}

}  // namespace

bool Join::start(std::span<const uint8_t> frame, Checksum checksum, const Kinds& kinds) {
    frames_ = 0;
    is_closed_ = true;
    const auto at = read_transport_frame(frame, frame.size(), Lengths::checked);
    if (!at || frame.size() == at->payload || at->network > farthest_network) return false;
    const bool may = !at->is_tcp ? kinds.udp : at->is_ipv6 ? kinds.tcp6 : kinds.tcp4;
    if (!may) return false;
    const uint8_t* const transport = &frame[at->transport];
    // PSH, which only the last frame may have, would end the segment at its first frame.
    if (at->is_tcp && (transport[tcp_flags_offset] != acknowledgement ||
                       read_16(transport + urgent_offset) != 0)) {
        return false;
    }
    if (!is_right(frame, *at, checksum)) return false;
    at_ = *at;
    std::memcpy(headers_.data(), frame.data(), at_.payload);
    length_ = frame.size();
    segment_octets_ = frame.size() - at_.payload;
    frames_ = 1;
    is_closed_ = false;
    return true;
}

bool Join::follows(std::span<const uint8_t> frame) const {
    const uint8_t* const first = headers_.data();
    const uint8_t* const next = frame.data();
    const std::size_t network = at_.network;
    const std::size_t transport = at_.transport;
    if (!equal(first, next, 0, network)) return false;
    if (at_.is_ipv6) {
        if (!equal(first, next, network, network + 4)) return false;
        if (!equal(first, next, network + 6, transport)) return false;
    } else {
        if (!equal(first, next, network, network + 2)) return false;
        if (!equal(first, next, network + 6, network + 10)) return false;
        if (!equal(first, next, network + 12, transport)) return false;
        const auto id = static_cast<uint16_t>(read_16(first + network + 4) + frames_);
        if (read_16(next + network + 4) != id) return false;
    }
    if (!equal(first, next, transport, transport + 4)) return false;  // ports
    if (!at_.is_tcp) return true;
    const auto sent = static_cast<uint32_t>(frames_ * segment_octets_);
    if (read_32(next + transport + sequence_offset) !=
        read_32(first + transport + sequence_offset) + sent) {
        return false;
    }
    const uint8_t flags = next[transport + tcp_flags_offset];
    return (flags & ~push) == acknowledgement &&
           equal(first, next, transport + 8, transport + tcp_flags_offset) &&
           equal(first, next, transport + window_offset, transport + 16) &&
           equal(first, next, transport + urgent_offset, transport + least_tcp) &&
           equal(first, next, transport + least_tcp, at_.payload);
}

bool Join::add(std::span<const uint8_t> frame, Checksum checksum) {
    if (is_closed_ || frames_ == most_frames || frame.size() <= at_.payload) return false;
    const std::size_t payload = frame.size() - at_.payload;
    if (payload > segment_octets_ || length_ + payload > longest_segment) return false;
    if (!follows(frame)) return false;
    const auto at = read_transport_frame(frame, frame.size(), Lengths::checked);
    if (!at || *at != at_ || !is_right(frame, at_, checksum)) return false;
    const bool is_last = payload < segment_octets_ ||
                         (at_.is_tcp && (frame[at_.transport + tcp_flags_offset] & push));
    if (is_last && at_.is_tcp) {
        headers_[at_.transport + tcp_flags_offset] = frame[at_.transport + tcp_flags_offset];
    }
    is_closed_ = is_last;
    length_ += payload;
    ++frames_;
    return true;
}

std::span<const uint8_t> Join::finish(Unfinished& left) {
    const std::span<uint8_t> headers(headers_.data(), at_.payload);
    write_lengths(headers, at_, length_);
    const OnesSum sum = pseudo_header_sum(headers, at_, length_ - at_.transport);
    write_16(&headers[at_.checksum_place()], sum.folded());
    left = {.checksum = true,
            .checksum_start = at_.transport,
            .checksum_offset = at_.checksum_offset(),
            .segments = !at_.is_tcp   ? Segments::udp
                        : at_.is_ipv6 ? Segments::tcp6
                                      : Segments::tcp4,
            .segment_octets = static_cast<uint16_t>(segment_octets_)};
    is_closed_ = true;
    return headers;
}

}  // namespace sluice::offload
