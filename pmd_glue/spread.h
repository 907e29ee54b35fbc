// Spread: frames over the queues of a device, so that whoever receives them can share the queues
// between cores.
//
// By a hash of both addresses, the first twelve octets: a flow stays in one queue, and so in order.
// All frames of one station to another are one flow here. What is for the port at the other end
// itself, such as pauses and LLDP, goes by the first queue, which its own worker receives from.
// Bound: two loads and two multiplications a frame, and a call of the driver for each run of frames
// that go by the same queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "dataplane/address.h"
#include "dataplane/forward/hash.h"

struct rte_eth_conf;
struct rte_eth_dev_info;
struct rte_mbuf;

namespace sluice::pmd {

// One of `queues`. What is too short to have addresses goes by the first.
inline uint16_t queue_for(std::span<const uint8_t> octets, uint16_t queues) {
    uint64_t low = 0;
    uint32_t high = 0;
    if (octets.size() < sizeof low + sizeof high) return 0;
    std::memcpy(&low, octets.data(), sizeof low);
    std::memcpy(&high, &octets[sizeof low], sizeof high);
    if (read_address(octets.data()).is_reserved()) return 0;
    const uint64_t hash = hash_of(low, high) >> 32;
    return static_cast<uint16_t>(hash * queues >> 32);
}

// Sends by the first `queues` of the device. Returns how many it took, from the first on: at the
// first refusal it ends, so that order and back-pressure hold.
std::size_t send_spread(uint16_t ethdev, uint16_t queues, std::span<rte_mbuf*> buffers);

// Has a NIC spread what it receives, by addresses of whatever layers it knows. False: it cannot.
bool ask_to_spread(const rte_eth_dev_info& info, rte_eth_conf& conf);

}  // namespace sluice::pmd
