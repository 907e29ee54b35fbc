#include "dataplane/offload/finish.h"

#include <algorithm>
#include <array>

#include "dataplane/offload/host_tunnel.h"
#include "dataplane/offload/ones_sum.h"
#include "dataplane/offload/transport_frame.h"
#include "dataplane/types/address.h"

namespace sluice::offload {
namespace {

// The offset of SCTP's checksum, which no other protocol uses. It is a CRC, not a sum (RFC 9260 A).
constexpr uint16_t crc_offset = 8;
constexpr std::size_t crc_octets = 4;

constexpr auto crc_table = [] {
    constexpr uint32_t polynomial = 0x82F63B78;  // CRC-32C, lowest bit first
    std::array<uint32_t, 256> table{};
    for (uint32_t octet = 0; octet < table.size(); ++octet) {
        uint32_t crc = octet;
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? polynomial : 0);
        table[octet] = crc;
    }
    return table;
}();

void write_crc(std::span<uint8_t> packet) {
    const auto place = packet.subspan(crc_offset, crc_octets);
    std::ranges::fill(place, uint8_t{0});
    uint32_t crc = 0xFFFFFFFF;
    for (const uint8_t octet : packet) crc = crc >> 8 ^ crc_table[(crc ^ octet) & 0xFF];
    crc = ~crc;
    for (uint8_t& octet : place) {
        octet = static_cast<uint8_t>(crc);
        crc >>= 8;
    }
}

bool finish_if_left_at(std::span<uint8_t> frame, const TransportFrame& at) {
    const auto transport = frame.subspan(at.transport);
    OnesSum sum = pseudo_header_sum(frame, at, transport.size());
    if (read_16(&frame[at.checksum_place()]) != sum.folded()) return false;
    sum.add(transport);
    if (sum.is_right()) return false;
    return finish_checksum(frame, {.checksum = true,
                                   .checksum_start = at.transport,
                                   .checksum_offset = at.checksum_offset()});
}

}  // namespace

bool finish_checksum(std::span<uint8_t> frame, const Unfinished& left) {
    const std::size_t place = std::size_t{left.checksum_start} + left.checksum_offset;
    if (left.checksum_offset == crc_offset) {
        const auto packet = find_sctp(frame);
        if (!packet || packet->at != left.checksum_start) return false;
        write_crc(frame.subspan(packet->at, packet->octets));
        return true;
    }
    if (place + 2 > frame.size()) return false;
    OnesSum sum;
    sum.add(frame.subspan(left.checksum_start));
    write_16(&frame[place], sum.transport_checksum());
    return true;
}

bool finish_if_left(std::span<uint8_t> frame) {
    const auto at = read_transport_frame(frame, frame.size(), Lengths::checked);
    if (at && finish_if_left_at(frame, *at)) return true;
    if (at && at->is_tcp) return false;
    const auto carried = read_carried(frame);
    return carried && finish_if_left_at(frame, *carried);
}

}  // namespace sluice::offload
