// Port: one device as the switch sees it, DPDK's, a memif (memif/), packet sockets or a TAP
// (packet/): bursts of Frames in, bursts of Frames out, a link.
//
// Threads: `receive` of each lane belongs to one worker and `transmit` to one; all else to control.
// Frames: a frame that the device does not take stays the caller's (back-pressure, never a drop);
// one that was taken is the device's. A frame is sent with the octets and the length of its buffer
// (Pool::edit_tags makes them those of the frame). VLAN tags stay in the frame; checksums are
// neither computed nor checked, but by packet/ and vhost/, whose hosts leave them out. A frame that
// arrives in several buffers is joined into one; of one that is longer than a buffer what fits is
// left, which the switch drops as `oversize`.
// Queues: a port receives from its queues in turn. With several lanes, queue q belongs to lane q
// modulo their number. Frames are sent by queue 0, or spread over all queues (spread.h). If the
// device does PFC itself (`queues`, nic/lossless_queues.h) each priority has a receive and a
// transmit queue: queues of stopped priorities are not received from, a burst ends at the first
// frame whose own queue is full, and frames that the switch made go by the queue of its highest
// lossy priority.
// Pauses: those of the switch leave by a transmit queue of their own, if a NIC has one to spare
// (nic/driver_table.h), so that they do not wait behind data; all by the same queue, so that an XON
// stays behind its XOFF. Not so with rings, memif and other virtual devices: there a
// queue is received from by whichever worker has it, at any time or, if the peer has fewer queues,
// never; only a NIC's queues all end in one wire. Where a driver of the kernel lets frames for the
// neighbour alone (pauses, LLDP) out in no other way, they go by a socket beside the device
// (nic/control_socket.h).
// Tunnels have no device: their frames are moved by the worker that polls the underlay (tunnels.h);
// a Port holds their name, address and end.
// An interface that is deleted, or a card that is pulled out, is noticed by `link`: from then on
// the port receives nothing, takes nothing and stays down, and the other ports go on.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "config/device_buffers.h"
#include "dataplane/address.h"
#include "dataplane/counters.h"
#include "dataplane/frame.h"
#include "dataplane/units.h"
#include "pmd_glue/borrowed_interface.h"
#include "pmd_glue/device.h"
#include "pmd_glue/error.h"
#include "pmd_glue/far_end.h"
#include "pmd_glue/memif/interface.h"
#include "pmd_glue/nic/abilities.h"
#include "pmd_glue/nic/all_groups.h"
#include "pmd_glue/nic/circumstances.h"
#include "pmd_glue/nic/control_socket.h"
#include "pmd_glue/nic/kernel_settings.h"
#include "pmd_glue/nic/lossless_queues.h"
#include "pmd_glue/nic/pause_counters.h"
#include "pmd_glue/packet/interface.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/tunnel_ends.h"
#include "pmd_glue/vhost/guest.h"
#include "pmd_glue/xdp/program.h"

struct rte_eth_conf;
struct rte_mbuf;

namespace sluice::pmd {

struct PortRequest {
    std::string name;
    Device device;
    uint16_t mtu = 1500;  // octets of payload; a frame has 22 more, for two tags
    bool promiscuous = true;
    std::optional<MacAddress> address;     // else the device's, or one that is made (own_address.h)
    uint64_t identity = 0;                 // that it is made of
    unsigned rx_descriptors = usual_ring;  // a power of two, 128 to 8192; 2048 or more for af_xdp
    unsigned tx_descriptors = usual_ring;
    uint16_t lanes = 1;  // no more than the device has queues
    nic::AskedOfNic asked;
    nic::QueuesAsked queues;
    bool has_checked_capture = false;           // by check_capture, which takes its time
    xdp::HostShare host;                        // of an af_xdp interface
    std::optional<TunnelRequest> tunnel;        // of a tunnel
    std::optional<UnderlayAddresses> underlay;  // for tunnels over it; the MAC is the port's
};

constexpr Bytes frame_for_mtu(uint16_t mtu) { return Bytes(mtu + 14 + 2 * 4); }

// Nothing, or why its lanes do not fit its device.
std::optional<Error> check_lanes(const PortRequest& request);

// Likewise why it has no queue for each priority, where it is to have one.
std::optional<Error> check_queues(const PortRequest& request);

// How many ports DPDK opens in one process, of whatever device that is its (`is_of_dpdk`): fixed
// when it was built, and 32 in Debian's.
std::size_t most_ports();

// Buffers that the port's device may hold on to.
std::size_t buffers_for(const PortRequest& request);

struct Link {
    bool up = false;
    bool vanished = false;
    BitsPerSecond speed{10'000'000'000};

    friend bool operator==(const Link&, const Link&) = default;
};

// What the device saw and the switch did not. Since the port was opened.
struct DeviceStats {
    uint64_t missed = 0;  // arrived, and nobody took them in time
    uint64_t receive_errors = 0;
    uint64_t transmit_errors = 0;
    uint64_t no_buffer = 0;  // arrived when the pool was empty
    packet::OffloadCounts offloads;
};

class Port {
  public:
    static tl::expected<std::unique_ptr<Port>, Error> open(const PortRequest& request, Pool& pool);
    ~Port();  // closes
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

    // --- by its worker --------------------------------------------------------------------------
    // Fills handle, data and length of up to max_burst frames. Their data is being prefetched.
    std::size_t receive(std::span<Frame> burst, uint16_t lane = 0);
    // The same of a port with a queue for each priority, but for those of `stopped`.
    std::size_t receive_but(PrioritySet stopped, std::span<Frame> burst);
    // Returns how many of at most max_burst frames, from the first on, the device took.
    std::size_t transmit(std::span<const Frame> burst);
    // Whether the last `receive` left something behind though its burst was not full; lane 0.
    [[nodiscard]] bool holds_back() const {
        return packet_ ? packet_->holds_back() : guest_ && guest_->holds_back();
    }
    // Whether the first frame that the last `transmit` left is longer than the device ever takes.
    [[nodiscard]] bool gives_up() const {
        if (vanished_.load(std::memory_order_relaxed)) return false;
        if (packet_) return packet_->gives_up();
        return gives_up_ && longest_sent_.load(std::memory_order_relaxed) != 0;
    }
    // At the end of a poll: what the device has taken and not sent yet, if it has such.
    void flush() {
        if (packet_) packet_->flush();
    }
    // Of a frame that the switch made itself: whether the device took it.
    bool transmit_generated(const Frame& frame);
    // Whether octets that the switch made go beside the device instead; whether they were taken.
    [[nodiscard]] bool goes_by_socket(std::span<const uint8_t> octets) const {
        return control_socket_.carries(octets);
    }
    bool send_by_socket(std::span<const uint8_t> octets);

    // --- by both --------------------------------------------------------------------------------
    // Of a tunnel, and of a port with an address for tunnels; else null.
    [[nodiscard]] TunnelEnd* tunnel_end() const { return tunnel_.get(); }
    [[nodiscard]] UnderlayEnd* underlay_end() const { return underlay_.get(); }

    // --- by control -----------------------------------------------------------------------------
    // Of a tunnel it is that of its underlay, and asked of that.
    [[nodiscard]] Link link();
    // Of one that vanished: whether there is an interface of its name again, which is another one;
    // of a TAP, whether it can be made again.
    [[nodiscard]] bool has_successor() const;
    // Of a memif: the last reason that a connection ended or came to nothing, once.
    std::optional<std::string> take_note();
    // Has the device take its link to the peer down, or up again, where it can. Nothing, or what
    // the kernel refused.
    std::optional<Error> set_link(bool up);
    [[nodiscard]] DeviceStats stats();
    // The device's own PFC counters, where it pauses and obeys by itself and has such.
    [[nodiscard]] std::optional<nic::PauseCountsOfPort> device_pauses() const;
    // Of an af_xdp port: what its program and its sockets count.
    [[nodiscard]] std::optional<xdp::Report> xdp_report() const;
    // Where the host shares the interface: its addresses may have changed.
    void follow_host();
    // How many addresses the host is to keep beyond those that it can, once there are more; else 0.
    std::size_t take_addresses_left_out();
    [[nodiscard]] const std::string& name() const { return name_; }
    void rename(std::string name) { name_ = std::move(name); }
    [[nodiscard]] const Device& device() const { return device_; }
    [[nodiscard]] MacAddress address() const { return address_; }
    // Frames of each queue that it may hold before they are on the wire.
    [[nodiscard]] unsigned tx_descriptors() const { return tx_descriptors_; }
    // Whether its pauses do not wait for those.
    [[nodiscard]] bool has_pause_queue() const { return pause_queue_ != 0; }
    [[nodiscard]] const nic::FoundAbilities& abilities() const { return abilities_; }
    // Under which that holds, of a NIC.
    [[nodiscard]] const nic::Circumstances& circumstances() const { return circumstances_; }
    // Whether there is something to give back to a kernel interface when this goes.
    [[nodiscard]] bool gives_back() const { return device_.on_interface(); }
    // Sockets, among them all that become readable as frames arrive; none where its device has no
    // such.
    [[nodiscard]] std::vector<int> sockets() const;
    // What could not be done for it, a line each.
    [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }
    // The device; a driver may hang in there, so that of a card that was pulled out is not asked,
    // and keeps its buffers. Nothing else is to be asked of the port afterwards.
    void close();
    // For who ends without closing it, such as while another thread hangs in there: removes what
    // would outlive the process.
    void abandon();

  private:
    // What one worker writes.
    struct alignas(64) Lane {
        uint16_t next_queue = 0;
        Counter checksums_finished;
    };

    Port(const PortRequest& request, uint16_t ethdev);
    void open_tunnel(const PortRequest& request);
    std::optional<Error> configure(const PortRequest& request, Pool& pool);
    std::optional<Error> start_memif(const PortRequest& request, Pool& pool);
    std::optional<Error> start_packet(const PortRequest& request, Pool& pool);
    std::optional<Error> start_queues(const PortRequest& request, Pool& pool);
    int configure_queues(const rte_eth_conf& conf, uint16_t senders, bool one_more);
    int set_up_queues(const PortRequest& request, Pool& pool, uint16_t senders,
                      const nic::DriverRow& row);
    [[nodiscard]] std::optional<Error> no_queues(const std::string& why) const;
    std::size_t take_from(uint16_t queue, std::span<rte_mbuf*> buffers);
    std::size_t send_by(uint16_t queue, std::span<rte_mbuf*> buffers);
    void finish(Lane& lane, std::span<rte_mbuf* const> buffers);
    static std::size_t fill(std::span<rte_mbuf* const> buffers, std::span<Frame> burst);
    std::span<rte_mbuf*> those_that_fit(std::span<rte_mbuf*> buffers);
    std::size_t send_by_priority(std::span<const Frame> burst, std::span<rte_mbuf*> buffers);
    void close_ethdev();
    [[nodiscard]] bool is_tap() const { return packet_ && packet_->tap() != nullptr; }
    void choose_address(const PortRequest& request);
    void take_frames(bool promiscuous);
    void find_abilities(const PortRequest& request);
    std::optional<Error> set_mtu(const PortRequest& request);
    void follow_far_end(const FarEnd& far);
    void add_xdp_stats(DeviceStats& stats) const;

    std::string name_;
    const Device device_;
    const uint16_t ethdev_;  // no_ethdev: it is a memif, packet sockets or a TAP
    std::unique_ptr<memif::Interface> memif_;
    std::unique_ptr<packet::Interface> packet_;
    std::unique_ptr<vhost::Guest> guest_;  // of a vhost device
    rte_mempool* own_buffers_ = nullptr;   // of a memif, packet sockets or a TAP
    uint16_t queues_ = 1;
    uint16_t senders_ = 1;  // queues that it sends by
    const bool by_queue_;   // of each priority its own
    nic::LosslessQueues by_priority_;
    nic::PauseCounters pause_counters_;
    uint16_t generated_by_ = 0;  // then: the queue for what the switch made
    uint16_t pause_queue_ = 0;   // that pauses leave by; 0: as all else does
    const uint16_t lane_count_;
    const std::unique_ptr<Lane[]> lanes_;
    unsigned tx_descriptors_ = 0;
    std::atomic<bool> vanished_{false};
    // Of XDP sockets on a veth, whose far end drops longer ones without a word; 0: all go.
    std::atomic<uint16_t> longest_sent_{0};
    unsigned looks_ = 0;     // at the link, of such a port
    bool gives_up_ = false;  // its worker's, as to that
    bool finishes_ = false;  // checksums, of hosts that leave them out and do not say so
    bool started_ = false;
    bool closed_ = false;
    nic::FoundAbilities abilities_;
    nic::Circumstances circumstances_;
    nic::KernelSettings kernel_settings_;
    nic::AllGroups all_groups_;
    nic::ControlSocket control_socket_;
    MacAddress address_;
    std::unique_ptr<TunnelEnd> tunnel_;
    std::unique_ptr<UnderlayEnd> underlay_;
    BorrowedInterface borrowed_;
    unsigned interface_index_ = 0;  // of a kernel interface; 0: it sits on none
    std::unique_ptr<xdp::Program> xdp_;
    std::vector<std::string> notices_;
};

}  // namespace sluice::pmd
