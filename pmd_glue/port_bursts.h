// PortBursts: the interface of a port for workers: receives and sends bursts of Frames. Control
// uses another interface of the same port (port.h), and calls none of these functions.
//
// Threads: `receive` of each lane belongs to one worker, and `transmit` to one.
// Frames: a frame that the device does not accept stays with the caller (back-pressure, never a
// drop); an accepted frame belongs to the device. A frame is sent with the octets and the length of
// its buffer (Pool::edit_tags updates them). VLAN tags stay in the frame. Checksums are neither
// computed nor checked, except by packet/ and vhost/, whose hosts leave them out. A frame that
// arrives in several buffers is joined into one. A frame longer than a buffer is cut to its length,
// and the switch drops it as `oversize`.
// Queues: a port receives from its queues in turn. With several lanes, queue q belongs to lane q
// modulo the number of lanes. Frames are sent by queue 0, or spread over all queues (spread.h). If
// the device does PFC itself (`queues`, nic/lossless_queues.h), each priority has a receive and a
// transmit queue. Queues of stopped priorities are then not polled, a burst ends at the first frame
// whose queue is full, and generated frames use the queue of the highest lossy priority.
// Pauses: the switch's pauses use a transmit queue of their own, if a NIC has one to spare
// (nic/driver_table.h), so that they do not wait for data. All pauses use the same queue, so that
// an XON never overtakes its XOFF. Rings, memif and other virtual devices have no such queue: the
// peer's worker of that queue could receive from it at any time, or never if the peer has fewer
// queues; only a NIC's queues share one wire. Some kernel drivers pass frames for the neighbour
// (pauses, LLDP) only from a socket of their own: such frames are sent by nic/control_socket.h.
// Bound: one burst, and the driver's time for it. A device that vanished neither sends nor
// receives.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/types/counters.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"
#include "pmd_glue/memif/interface.h"
#include "pmd_glue/nic/control_socket.h"
#include "pmd_glue/nic/lossless_queues.h"
#include "pmd_glue/packet/interface.h"
#include "pmd_glue/tunnel_ends.h"
#include "pmd_glue/vhost/guest.h"
#include "pmd_glue/xdp/program.h"

struct rte_mbuf;
struct rte_mempool;

namespace sluice::pmd {

class PortBursts {
  public:
    // Receives up to max_burst frames: sets their handle, data and length, and prefetches the data.
    std::size_t receive(std::span<Frame> burst, uint16_t lane = 0);
    // Receives like `receive`, for a port with a queue for each priority; skips the `stopped` ones.
    std::size_t receive_but(PrioritySet stopped, std::span<Frame> burst);
    // Returns how many of at most max_burst frames, from the first on, the device accepted.
    std::size_t transmit(std::span<const Frame> burst);
    // Whether the last `receive` on lane 0 left frames waiting although its burst was not full.
    [[nodiscard]] bool holds_back() const {
        return packet_ ? packet_->holds_back() : guest_ && guest_->holds_back();
    }
    // Whether the first frame that the last `transmit` left is longer than the device can accept.
    [[nodiscard]] bool gives_up() const {
        if (vanished_.load(std::memory_order_relaxed)) return false;
        if (packet_) return packet_->gives_up();
        return gives_up_ && longest_sent_.load(std::memory_order_relaxed) != 0;
    }
    // Whether frames that the device accepted may be sent only at `flush`, at the end of a poll.
    [[nodiscard]] bool sends_at_flush() const { return packet_ != nullptr; }
    void flush() {
        if (packet_) packet_->flush();
    }
    // Sends a frame that the switch generated. Returns whether the device accepted it.
    bool transmit_generated(const Frame& frame);
    // `goes_by_socket` returns whether a generated frame has to be sent by the control socket.
    // `send_by_socket` sends such a frame, and returns whether the socket accepted it.
    [[nodiscard]] bool goes_by_socket(std::span<const uint8_t> octets) const {
        return control_socket_.carries(octets);
    }
    bool send_by_socket(std::span<const uint8_t> octets);

    // Returns the sockets of the port. One of them becomes readable whenever a frame arrives. Empty
    // if the device has no such sockets.
    [[nodiscard]] std::vector<int> sockets() const;
    // `tunnel_end` returns the end of a tunnel; null for another port. `underlay_end` returns the
    // end of a port with an address for tunnels; null for another port. Workers and control share
    // the ends.
    [[nodiscard]] TunnelEnd* tunnel_end() const { return tunnel_.get(); }
    [[nodiscard]] UnderlayEnd* underlay_end() const { return underlay_.get(); }

  protected:
    // State of a lane, which only its worker writes.
    struct alignas(64) Lane {
        uint16_t next_queue = 0;
        Counter checksums_finished;
    };

    PortBursts(uint16_t ethdev, uint16_t senders, bool by_queue, uint16_t lanes);
    ~PortBursts() = default;

    // Set by control before a worker uses the port.
    const uint16_t ethdev_;  // no_ethdev for a memif, packet sockets or a TAP
    std::unique_ptr<memif::Interface> memif_;
    std::unique_ptr<packet::Interface> packet_;
    std::unique_ptr<vhost::Guest> guest_;  // only for a vhost device
    std::unique_ptr<xdp::Program> xdp_;
    rte_mempool* own_buffers_ = nullptr;  // pool for a memif, packet sockets or a TAP
    uint16_t queues_ = 1;
    const uint16_t senders_;  // transmit queues for frames
    const bool by_queue_;     // each priority has queues of its own
    nic::LosslessQueues by_priority_;
    uint16_t generated_by_ = 0;  // queue for generated frames if `by_queue_`
    uint16_t pause_queue_ = 0;   // queue for pauses; 0 if they use the frames' queues
    const uint16_t lane_count_;
    // Whether missing checksums are computed: the hosts leave them out, and no flag shows that.
    bool finishes_ = false;
    nic::ControlSocket control_socket_;
    std::unique_ptr<TunnelEnd> tunnel_;
    std::unique_ptr<UnderlayEnd> underlay_;

    // Written by control while workers use the port.
    std::atomic<bool> vanished_{false};
    // Longest frame for XDP sockets on a veth, whose far end drops longer ones silently; 0 means no
    // limit.
    std::atomic<uint16_t> longest_sent_{0};

    const std::unique_ptr<Lane[]> lanes_;  // by lane; only the lane's worker writes

  private:
    std::size_t take_from(uint16_t queue, std::span<rte_mbuf*> buffers);
    std::size_t send_by(uint16_t queue, std::span<rte_mbuf*> buffers);
    void finish(Lane& lane, std::span<rte_mbuf* const> buffers);
    static std::size_t fill(std::span<rte_mbuf* const> buffers, std::span<Frame> burst);
    std::span<rte_mbuf*> those_that_fit(std::span<rte_mbuf*> buffers);
    std::size_t send_by_priority(std::span<const Frame> burst, std::span<rte_mbuf*> buffers);

    bool gives_up_ = false;
};

}  // namespace sluice::pmd
