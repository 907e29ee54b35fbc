#include "dataplane/offload/cut.h"

#include <algorithm>
#include <cstring>

#include "dataplane/types/address.h"

namespace sluice::offload {
namespace {

constexpr uint8_t fin_and_push = 0x09;
constexpr uint8_t window_reduced = 0x80;

bool agrees(const TransportFrame& at, Segments segments) {
    switch (segments) {
        case Segments::tcp4:
            return at.is_tcp && !at.is_ipv6;
        case Segments::tcp6:
            return at.is_tcp && at.is_ipv6;
        case Segments::udp:
            return !at.is_tcp;
        case Segments::none:
            break;
    }
    return false;
}

}  // namespace

bool Cut::find(std::span<const uint8_t> headers, std::size_t length, const Unfinished& left) {
    const auto at = read_transport_frame(headers, length, Lengths::ignored);
    const bool is_plain = at && (!left.checksum || left.checksum_start == at->transport);
    if (is_plain) {
        at_ = *at;
    } else if (left.checksum) {
        tunnel_ = read_host_tunnel(headers, length, left.checksum_start);
        if (!tunnel_) return false;
        at_ = tunnel_->inner;
    }
    return (is_plain || tunnel_) && agrees(at_, left.segments);
}

std::optional<Cut> Cut::of(std::span<const uint8_t> front, std::size_t length,
                           const Unfinished& left) {
    const auto headers = front.first(std::min(front.size(), most_tunnel_headers));
    Cut cut;
    if (!cut.find(headers, length, left) || left.segment_octets == 0) return std::nullopt;
    const std::size_t payload = cut.at_.payload;
    if (length <= payload) return std::nullopt;
    constexpr std::size_t longest_packet = 65535;
    if (left.segment_octets + payload - cut.packet_at() > longest_packet) return std::nullopt;
    std::memcpy(cut.headers_.data(), headers.data(), payload);
    cut.length_ = length;
    cut.segment_octets_ = left.segment_octets;
    cut.frames_ = (length - payload + left.segment_octets - 1) / left.segment_octets;
    return cut;
}

void Cut::write_headers(std::size_t number, std::span<uint8_t> frame) const {
    std::memcpy(frame.data(), headers_.data(), at_.payload);
    uint8_t* const transport = &frame[at_.transport];
    if (!at_.is_ipv6) {
        uint8_t* const id = &frame[at_.network + 4U];
        write_16(id, static_cast<uint16_t>(read_16(id) + number));
    }
    write_lengths(frame, at_, frame.size());
    if (at_.is_tcp) {
        const auto done = static_cast<uint32_t>(number * segment_octets_);
        write_32(transport + 4, read_32(transport + 4) + done);
        uint8_t& flags = transport[tcp_flags_offset];
        if (number + 1 < frames_) flags = static_cast<uint8_t>(flags & ~fin_and_push);
        if (number > 0) flags = static_cast<uint8_t>(flags & ~window_reduced);
    }
    write_16(&frame[at_.checksum_place()], 0);
    OnesSum sum = pseudo_header_sum(frame, at_, frame.size() - at_.transport);
    sum.add(frame.subspan(at_.transport));
    write_16(&frame[at_.checksum_place()], at_.is_tcp ? sum.checksum() : sum.transport_checksum());
    if (tunnel_) write_outer_headers(frame, *tunnel_, number);
}

}  // namespace sluice::offload
