// What a port's worker does with it: bursts in, bursts out, and what the switch made itself.
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <algorithm>
#include <array>

#include "dataplane/pfc/pause_frame.h"
#include "pmd_glue/port.h"
#include "pmd_glue/spread.h"

namespace sluice::pmd {
namespace {

bool is_pause(const Frame& frame) {
    return frame.length >= pause_frame_octets && read_address(frame.data) == mac_control_address &&
           read_16(frame.data + 12) == mac_control_ether_type;
}

}  // namespace

std::size_t Port::receive(std::span<Frame> burst, uint16_t lane) {
    if (vanished_.load(std::memory_order_relaxed)) return 0;
    Lane& own = lanes_[lane];
    std::array<rte_mbuf*, max_burst> buffers;
    const auto wanted = static_cast<uint16_t>(std::min(burst.size(), buffers.size()));
    uint16_t got = 0;
    for (uint16_t turn = lane; turn < queues_ && got < wanted;
         turn = static_cast<uint16_t>(turn + lane_count_)) {
        got = static_cast<uint16_t>(got + rte_eth_rx_burst(ethdev_, own.next_queue, &buffers[got],
                                                           static_cast<uint16_t>(wanted - got)));
        own.next_queue = static_cast<uint16_t>(own.next_queue + lane_count_);
        if (own.next_queue >= queues_) own.next_queue = lane;
    }
    for (uint16_t i = 0; i < got; ++i) rte_prefetch0(buffers[i]);
    std::size_t filled = 0;
    for (uint16_t i = 0; i < got; ++i) {
        rte_mbuf* const buffer = buffers[i];
        if (buffer->nb_segs != 1 && rte_pktmbuf_linearize(buffer) != 0) [[unlikely]] {
            rte_pktmbuf_free(buffer);
            own.unjoinable.add(1);
            continue;
        }
        Frame& frame = burst[filled++];
        frame.handle = buffer;
        frame.data = rte_pktmbuf_mtod(buffer, uint8_t*);
        frame.length = buffer->data_len;
        rte_prefetch0(frame.data);
    }
    return filled;
}

std::size_t Port::transmit(std::span<const Frame> burst) {
    if (vanished_.load(std::memory_order_relaxed)) return 0;
    std::array<rte_mbuf*, max_burst> buffers;
    for (std::size_t i = 0; i < burst.size(); ++i) {
        buffers[i] = static_cast<rte_mbuf*>(burst[i].handle);
    }
    if (senders_ > 1) return send_spread(ethdev_, senders_, std::span(buffers).first(burst.size()));
    return rte_eth_tx_burst(ethdev_, 0, buffers.data(), static_cast<uint16_t>(burst.size()));
}

bool Port::send_by_socket(std::span<const uint8_t> octets) {
    return !vanished_.load(std::memory_order_relaxed) && control_socket_.send(octets);
}

bool Port::transmit_made(const Frame& frame) {
    if (pause_queue_ == 0 || !is_pause(frame)) return transmit({&frame, 1}) == 1;
    if (vanished_.load(std::memory_order_relaxed)) return false;
    auto* buffer = static_cast<rte_mbuf*>(frame.handle);
    return rte_eth_tx_burst(ethdev_, pause_queue_, &buffer, 1) == 1;
}

}  // namespace sluice::pmd
