#include "dataplane/egress/ecn.h"

#include "dataplane/egress/dscp.h"
#include "dataplane/egress/ipv4_checksum.h"
#include "dataplane/types/address.h"

namespace sluice {
namespace {

constexpr uint8_t not_capable = 0;
constexpr uint8_t congestion_experienced = 3;

constexpr bool takes_a_mark(uint8_t ecn) {
    return ecn != not_capable && ecn != congestion_experienced;
}

constexpr uint8_t ecn_of(const uint8_t* network) {
    return (is_ipv4(network) ? network[1] : network[1] >> 4) & 3;
}

void mark_ipv4(uint8_t* network) {
    const uint16_t before = read_16(network);
    network[1] |= congestion_experienced;
    replace_in_ipv4_checksum(network, before, read_16(network));
}

void mark_ipv6(uint8_t* network) { network[1] |= congestion_experienced << 4; }

}  // namespace

bool mark_congestion(uint8_t* network) {
    if (!takes_a_mark(ecn_of(network))) return false;
    is_ipv4(network) ? mark_ipv4(network) : mark_ipv6(network);
    return true;
}

bool is_ecn_capable(const uint8_t* network) { return ecn_of(network) != not_capable; }

bool EcnPlace::mark(const Frame& frame) const {
    if (frame.has_network()) return mark_congestion(frame.data + frame.network_offset);
    uint8_t& octet = frame.data[octet_];
    if (!takes_a_mark(octet >> shift_ & 3)) return false;
    octet = static_cast<uint8_t>(octet | congestion_experienced << shift_);
    return true;
}

bool EcnPlace::is_capable(const Frame& frame) const {
    if (frame.has_network()) return is_ecn_capable(frame.data + frame.network_offset);
    return (frame.data[octet_] >> shift_ & 3) != not_capable;
}

}  // namespace sluice
