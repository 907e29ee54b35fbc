#include "dataplane/egress/ecn.h"

#include "dataplane/address.h"
#include "dataplane/egress/ipv4_checksum.h"

namespace sluice {
namespace {

constexpr uint8_t not_capable = 0;
constexpr uint8_t congestion_experienced = 3;

constexpr bool takes_a_mark(uint8_t ecn) {
    return ecn != not_capable && ecn != congestion_experienced;
}

bool mark_ipv4(uint8_t* network) {
    if (!takes_a_mark(network[1] & 3)) return false;
    const uint16_t before = read_16(network);
    network[1] |= congestion_experienced;
    replace_in_ipv4_checksum(network, before, read_16(network));
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
