#include "dataplane/egress/ecn.h"

#include "dataplane/address.h"

namespace sluice {
namespace {

constexpr uint8_t not_capable = 0;
constexpr uint8_t congestion_experienced = 3;
constexpr std::size_t checksum_offset = 10;

constexpr bool takes_a_mark(uint8_t ecn) {
    return ecn != not_capable && ecn != congestion_experienced;
}

// HC' = ~(~HC + ~m + m'), in ones' complement.
void replace_in_checksum(uint8_t* checksum, uint16_t before, uint16_t after) {
    const auto inverse = [](uint16_t word) { return static_cast<uint32_t>(word ^ 0xFFFF); };
    uint32_t sum = inverse(read_16(checksum)) + inverse(before) + after;
    sum = (sum & 0xFFFF) + (sum >> 16);
    sum = (sum & 0xFFFF) + (sum >> 16);
    write_16(checksum, static_cast<uint16_t>(inverse(static_cast<uint16_t>(sum))));
}

bool mark_ipv4(uint8_t* network) {
    if (!takes_a_mark(network[1] & 3)) return false;
    const uint16_t before = read_16(network);
    network[1] |= congestion_experienced;
    replace_in_checksum(network + checksum_offset, before, read_16(network));
    return true;
}

bool mark_ipv6(uint8_t* network) {
    if (!takes_a_mark(network[1] >> 4 & 3)) return false;
    network[1] |= congestion_experienced << 4;
    return true;
}

}  // namespace

bool mark_congestion(uint8_t* network) {
    return network[0] >> 4 == 4 ? mark_ipv4(network) : mark_ipv6(network);
}

}  // namespace sluice
