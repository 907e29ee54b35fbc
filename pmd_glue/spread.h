// Spread: spreads frames over the queues of a device, so that cores can share its queues on the
// receiving side.
//
// The queue is chosen by a hash of both addresses, the first twelve octets, so a flow stays in one
// queue and in order. All frames from one station to another are one flow here. Frames that end at
// the neighbour, such as pauses and LLDP, use the first queue, which the neighbour port's own
// worker polls.
// Bound: two loads and two multiplications a frame, and one driver call for each run of frames with
// the same queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "dataplane/forward/hash.h"
#include "dataplane/types/address.h"

struct rte_eth_conf;
struct rte_eth_dev_info;
struct rte_mbuf;

namespace sluice::pmd {

// Returns one of `queues`; the first for a frame too short to have addresses.
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

// Returns the one of `queues` by which a buffer's frame is sent.
uint16_t queue_for(const rte_mbuf& buffer, uint16_t queues);

// Sends by the first `queues` queues of a device: `send` takes a queue and consecutive buffers, and
// returns how many the queue accepted. Returns how many buffers, from the first on, were accepted.
// Ends at the first refusal, which keeps order and back-pressure.
template <class Send>
std::size_t send_spread(uint16_t queues, std::span<rte_mbuf*> buffers, Send send) {
    std::size_t sent = 0;
    uint16_t next = buffers.empty() ? uint16_t{0} : queue_for(*buffers[0], queues);
    for (std::size_t end = 0; sent == end && end < buffers.size();) {
        const uint16_t queue = next;
        while (++end < buffers.size() && (next = queue_for(*buffers[end], queues)) == queue) {
            continue;
        }
        sent += send(queue, buffers.subspan(sent, end - sent));
    }
    return sent;
}

// Makes a NIC spread received frames over its queues by the addresses that the NIC can hash.
// Returns false if it can hash none.
bool ask_to_spread(const rte_eth_dev_info& info, rte_eth_conf& conf);

}  // namespace sluice::pmd
