#include "pmd_glue/port_bursts.h"

#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <iterator>
#include <utility>

#include "dataplane/offload/finish.h"
#include "dataplane/pfc/pause_frame.h"
#include "pmd_glue/spread.h"

namespace sluice::pmd {
namespace {

bool is_pause(const Frame& frame) {
    return frame.length >= pause_frame_octets && read_address(frame.data) == mac_control_address &&
           read_16(frame.data + 12) == mac_control_ether_type;
}

// A frame longer than a buffer is longer than any port's frames (pool.h): it is cut to the buffer's
// length, and the switch drops it as `oversize`.
[[gnu::noinline]] void join_or_cut(rte_mbuf& buffer) {
    if (rte_pktmbuf_linearize(&buffer) == 0) return;
    const auto length = static_cast<uint16_t>(buffer.data_len + rte_pktmbuf_tailroom(&buffer));
    auto* to = rte_pktmbuf_mtod(&buffer, uint8_t*);
    uint16_t filled = buffer.data_len;
    for (const rte_mbuf* part = buffer.next; part != nullptr && filled < length;
         part = part->next) {
        const uint16_t taken = std::min<uint16_t>(part->data_len, length - filled);
        std::memcpy(to + filled, rte_pktmbuf_mtod(part, const uint8_t*), taken);
        filled = static_cast<uint16_t>(filled + taken);
    }
    rte_pktmbuf_free(std::exchange(buffer.next, nullptr));
    buffer.nb_segs = 1;
    buffer.data_len = filled;
    buffer.pkt_len = filled;
}

}  // namespace

PortBursts::PortBursts(uint16_t ethdev, uint16_t senders, bool by_queue, uint16_t lanes)
    : ethdev_(ethdev),
      senders_(senders),
      by_queue_(by_queue),
      lane_count_(lanes),
      lanes_(std::make_unique<Lane[]>(lanes)) {
    for (uint16_t lane = 0; lane < lane_count_; ++lane) lanes_[lane].next_queue = lane;
}

std::size_t PortBursts::receive(std::span<Frame> burst, uint16_t lane) {
    if (vanished_.load(std::memory_order_relaxed)) return 0;
    assert(lane < lane_count_);
    Lane& own = lanes_[lane];
    std::array<rte_mbuf*, max_burst> buffers;
    const auto wanted = static_cast<uint16_t>(std::min(burst.size(), buffers.size()));
    uint16_t got = 0;
    for (uint16_t turn = lane; turn < queues_ && got < wanted;
         turn = static_cast<uint16_t>(turn + lane_count_)) {
        got = static_cast<uint16_t>(
            got + take_from(own.next_queue, std::span(buffers).subspan(got, wanted - got)));
        own.next_queue = static_cast<uint16_t>(own.next_queue + lane_count_);
        if (own.next_queue >= queues_) own.next_queue = lane;
    }
    assert(got <= wanted);
    if (finishes_) [[unlikely]]
        finish(own, std::span(buffers).first(got));
    return fill(std::span(buffers).first(got), burst);
}

[[gnu::noinline]] void PortBursts::finish(Lane& own, std::span<rte_mbuf* const> buffers) {
    for (rte_mbuf* const buffer : buffers) {
        if (buffer->nb_segs != 1) continue;
        const bool was_left =
            offload::finish_if_left({rte_pktmbuf_mtod(buffer, uint8_t*), buffer->data_len});
        if (was_left) own.checksums_finished.add(1);
    }
}

// Begins with the priority after the last one that the previous call polled, so that no priority is
// always first.
std::size_t PortBursts::receive_but(PrioritySet stopped, std::span<Frame> burst) {
    if (vanished_.load(std::memory_order_relaxed)) return 0;
    Lane& own = lanes_[0];
    std::array<rte_mbuf*, max_burst> buffers;
    const auto wanted = static_cast<uint16_t>(std::min(burst.size(), buffers.size()));
    uint16_t got = 0;
    for (std::size_t asked = 0; asked < max_priorities && got < wanted; ++asked) {
        const auto priority = static_cast<Priority>(own.next_queue);
        own.next_queue = static_cast<uint16_t>((own.next_queue + 1) % max_priorities);
        if ((stopped & only_priority(priority)) != 0) continue;
        got = static_cast<uint16_t>(got + take_from(by_priority_.receive[priority],
                                                    std::span(buffers).subspan(got, wanted - got)));
    }
    return fill(std::span(buffers).first(got), burst);
}

inline std::size_t PortBursts::take_from(uint16_t queue, std::span<rte_mbuf*> buffers) {
    if (memif_) return memif_->receive(queue, buffers, own_buffers_);
    if (packet_) return packet_->receive(queue, buffers, own_buffers_);
    if (guest_) return guest_->receive(queue, buffers);
    return rte_eth_rx_burst(ethdev_, queue, buffers.data(), static_cast<uint16_t>(buffers.size()));
}

inline std::size_t PortBursts::send_by(uint16_t queue, std::span<rte_mbuf*> buffers) {
    if (memif_) return memif_->transmit(queue, buffers);
    if (packet_) return packet_->transmit(buffers);
    if (guest_) return guest_->transmit(buffers);
    return rte_eth_tx_burst(ethdev_, queue, buffers.data(), static_cast<uint16_t>(buffers.size()));
}

inline std::size_t PortBursts::fill(std::span<rte_mbuf* const> buffers, std::span<Frame> burst) {
    assert(buffers.size() <= burst.size());
    for (rte_mbuf* const buffer : buffers) rte_prefetch0(buffer);
    std::size_t filled = 0;
    for (rte_mbuf* const buffer : buffers) {
        if (buffer->nb_segs != 1) [[unlikely]]
            join_or_cut(*buffer);
        Frame& frame = burst[filled++];
        frame.handle = buffer;
        frame.data = rte_pktmbuf_mtod(buffer, uint8_t*);
        frame.length = buffer->data_len;
        rte_prefetch0(frame.data);
    }
    return filled;
}

std::size_t PortBursts::transmit(std::span<const Frame> burst) {
    if (vanished_.load(std::memory_order_relaxed)) return 0;
    std::array<rte_mbuf*, max_burst> buffers;
    assert(burst.size() <= buffers.size());
    for (std::size_t i = 0; i < burst.size(); ++i) {
        assert(burst[i].handle != nullptr);
        buffers[i] = static_cast<rte_mbuf*>(burst[i].handle);
    }
    auto own = std::span(buffers).first(burst.size());
    if (longest_sent_.load(std::memory_order_relaxed) != 0) [[unlikely]]
        own = those_that_fit(own);
    if (senders_ > 1) {
        if (by_queue_) return send_by_priority(burst, own);
        // The other end of a memif may have fewer rings.
        return send_spread(
            memif_ ? memif_->senders(senders_) : senders_, own,
            [this](uint16_t queue, std::span<rte_mbuf*> run) { return send_by(queue, run); });
    }
    return send_by(0, own);
}

// Returns the frames, from the first on, that are no longer than the far end accepts.
[[gnu::noinline]] std::span<rte_mbuf*> PortBursts::those_that_fit(std::span<rte_mbuf*> buffers) {
    const uint16_t longest = longest_sent_.load(std::memory_order_relaxed);
    const auto fits = [longest](const rte_mbuf* buffer) { return buffer->data_len <= longest; };
    const auto end = std::ranges::find_if_not(buffers, fits);
    gives_up_ = !buffers.empty() && end == buffers.begin();
    return {buffers.begin(), end};
}

// Sends consecutive frames of one priority together.
std::size_t PortBursts::send_by_priority(std::span<const Frame> burst,
                                         std::span<rte_mbuf*> buffers) {
    std::size_t sent = 0;
    for (std::size_t end = 0; sent == end && end < burst.size();) {
        const Priority priority = burst[end].priority;
        while (++end < burst.size() && burst[end].priority == priority) continue;
        sent += send_by(by_priority_.send[priority], buffers.subspan(sent, end - sent));
        assert(sent <= end);
    }
    return sent;
}

bool PortBursts::send_by_socket(std::span<const uint8_t> octets) {
    return !vanished_.load(std::memory_order_relaxed) && control_socket_.send(octets);
}

bool PortBursts::transmit_generated(const Frame& frame) {
    if (packet_) {
        return !vanished_.load(std::memory_order_relaxed) &&
               packet_->transmit_now(static_cast<rte_mbuf*>(frame.handle));
    }
    const bool has_own = by_queue_ || (pause_queue_ != 0 && is_pause(frame));
    if (!has_own) return transmit({&frame, 1}) == 1;
    if (vanished_.load(std::memory_order_relaxed)) return false;
    auto* buffer = static_cast<rte_mbuf*>(frame.handle);
    return send_by(by_queue_ ? generated_by_ : pause_queue_, {&buffer, 1}) == 1;
}

std::vector<int> PortBursts::sockets() const {
    std::vector<int> sockets;
    if (packet_) sockets = packet_->sockets();
    if (xdp_) {
        std::ranges::transform(xdp_->sockets(), std::back_inserter(sockets),
                               &xdp::Socket::descriptor);
    }
    return sockets;
}

}  // namespace sluice::pmd
