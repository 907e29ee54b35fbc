// Tunnels: sends and receives for the tunnels of one worker. Each uses the device of another port,
// its underlay.
//
// Receiving. A burst is taken from the device for whichever of its ports is asked, unless frames
// are kept for that one already; those come first. A tunnel's frames are unwrapped and kept for it,
// other frames are kept for the underlay. Frames that the decapsulator refuses
// (dataplane/tunnel/decapsulator.h) are counted and freed. Requests for the underlay's addresses
// (ARP, neighbour discovery) are passed to control and freed; announcements of other stations are
// passed to control as well. An inner frame below the shortest Ethernet frame is padded with zeros.
// Sending. The outer headers are written into the headroom of the frame's buffer if no other port
// holds that buffer, else in front of a copy. Frames that the underlay's device refuses are given
// back without those headers; while the next hop's address is unknown all are refused.
// To many. A frame for a station that a VTEP is known of goes there alone; every other one, a
// group's among them, is copied to each VTEP that gets floods, `copies_a_poll` at the most. The
// copies are made of the frame's own octets, one after the other, as the device takes them, and
// none while the underlay's peer pauses their priority: one flood of a tunnel is under way at a
// time, and meanwhile it takes nothing, so frames keep their order. What goes to a VTEP whose next
// hop is not known is counted there and freed. Where several networks go by VLAN (bundle.h) a
// frame's tag names its network and is taken off, and is put on by the network that one came from;
// what has no such tag, or another one behind it (RFC 7348 6.1), is counted and freed. A flood that
// ends before each VTEP had its copy, for the tunnel has gone, is counted below.
// Bound: a burst of frames is kept for each port, and a frame that is being flooded. An underlay
// has one lane and no queues by priority; it and its tunnels are of one worker. Frames for a tunnel
// do not go through the underlay's queues: only its device, and pauses received there
// (Shard::block), hold a tunnel back.
// Without tunnels it costs the test of one word a burst (devices.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "dataplane/tunnel/decapsulator.h"
#include "dataplane/tunnel/encapsulator.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port_bursts.h"

namespace sluice::pmd {

// By PortIndex; null where there is none.
using Ports = std::array<PortBursts*, max_ports>;

class Tunnels {
  public:
    explicit Tunnels(Pool& pool) : pool_(pool) {}
    Tunnels(const Tunnels&) = delete;
    Tunnels& operator=(const Tunnels&) = delete;

    // Between polls: these from now on.
    void use(const Ports& ports);
    // Tunnels whose underlay is there, and those underlays.
    [[nodiscard]] PortSet ports() const { return tunnels_ | underlays_; }
    [[nodiscard]] bool is_tunnel(PortIndex port) const { return (tunnels_ & only(port)) != 0; }
    // The port whose device a tunnel goes by.
    [[nodiscard]] PortBursts& underlay(PortIndex tunnel) const {
        return *ends_[tunnel]->below->port;
    }

    std::size_t receive(PortIndex port, std::span<Frame> burst);
    // Whether frames are kept for any port.
    [[nodiscard]] bool keep_any() const;
    std::size_t transmit(PortIndex tunnel, std::span<const Frame> burst);
    // Whether the first frame that the last `transmit` left is longer than its device ever takes.
    [[nodiscard]] bool gives_up(PortIndex tunnel) const {
        const End& end = *ends_[tunnel];
        return end.was_refused && end.below->port->gives_up();
    }
    // The point-to-multipoint tunnels.
    [[nodiscard]] PortSet to_many() const { return to_many_; }
    // Whether a flood is under way: in one tunnel, in any.
    [[nodiscard]] bool floods(PortIndex tunnel) const {
        return ends_[tunnel]->flooded.handle != nullptr;
    }
    [[nodiscard]] bool any_floods() const;
    // At the end of each poll, of one of these: continues its flood, but of `blocked` priorities,
    // and has the stations behind its VTEPs age.
    void go_on(PortIndex tunnel, PrioritySet blocked = 0);
    static constexpr std::size_t copies_a_poll = 128;
    // Whether stations behind VTEPs of any tunnel are due to age; each poll does a part of a
    // network.
    [[nodiscard]] bool are_to_age() const;
    // Returns the octets of the outer headers in the tunnel.
    [[nodiscard]] std::size_t outer_octets(PortIndex tunnel) const {
        return ends_[tunnel]->encapsulator.octets();
    }
    // Writes that before a frame that was made here, whose first octets are room for it. False: the
    // next hop is not known.
    [[nodiscard]] bool wrap_generated(PortIndex tunnel, const Frame& frame) const;
    // After the last poll.
    void free_kept();

  private:
    // Frames of a device that are one port's.
    struct Kept {
        std::array<Frame, max_burst> frames;
        std::size_t first = 0;
        std::size_t end = 0;

        [[nodiscard]] bool empty() const { return first == end; }
        [[nodiscard]] std::size_t room() const { return empty() ? max_burst : max_burst - end; }
        void add(const Frame& frame);
        std::size_t take(std::span<Frame> burst);
    };
    struct Below {
        PortBursts* port = nullptr;
        UnderlayEnd* shared = nullptr;
        Decapsulator decapsulator;
        PortIndex place = 0;
        PortSet over = 0;                         // its tunnels, and itself
        std::array<PortIndex, max_ports> places;  // of tunnels, as the decapsulator counts them
        std::size_t count = 0;
    };
    struct End {
        Below* below = nullptr;
        TunnelEnd* shared = nullptr;
        Encapsulator encapsulator;
        // Octets of the tag that is taken off a frame on its way in.
        uint16_t tag = 0;
        Vteps* only_network = nullptr;  // of one that leads to many, and does not go by VLAN
        // State of a point-to-multipoint tunnel: the frame that is being flooded, if its handle is
        // not null, to the slots of a network from this one on, whose VTEPs were there by then; how
        // many copies may be made in this poll; and which network's stations age in this poll.
        Frame flooded{};
        Vteps* flooded_in = nullptr;
        uint64_t flooded_by = 0;
        std::size_t next_slot = 0;
        std::size_t room = copies_a_poll;
        std::size_t ageing = 0;
        bool was_refused = false;  // the device refused a frame of the last burst
    };
    // Where a frame goes of a tunnel to many: a network, or null where none carries it, and there a
    // VTEP, or nothing where it is for all that get floods.
    struct Way {
        Vteps* network = nullptr;
        std::optional<std::size_t> slot = {};
    };
    // Frames with what goes before them, and the tags that were taken off.
    struct Wrapped {
        std::array<Frame, max_burst> frames;
        std::array<uint32_t, max_burst> tags;
    };
    static constexpr std::size_t copies_a_burst = 32;

    void use_underlay(PortIndex port, const Ports& ports);
    std::size_t sort(Below& below, PortIndex port, std::span<Frame> burst);
    void end_flood(End& end);
    void cut_off_flood(End& end, UnderlayEnd* below);
    // To `next_hop`, or each its own way where there are `ways`.
    std::size_t send(End& end, std::span<const Frame> burst, MacAddress next_hop,
                     std::span<const VtepWay> ways);
    std::size_t transmit_to_many(End& end, std::span<const Frame> burst);
    std::size_t send_to_known(End& end, std::span<const Frame> burst, std::size_t& known);
    bool continue_flood(End& end);
    std::optional<std::size_t> copy_to(const End& end, std::span<const std::size_t> slots,
                                       std::span<const VtepWay> ways);
    void begin_flood(End& end, const Frame& frame, Vteps& network);
    static Vteps* network_by_vlan(const End& end, const Frame& frame);
    static Way way_for(const End& end, const Frame& frame);
    static void put_tag(const Vteps& network, Frame& frame);
    static void take_arrival(const End& end, const Arrival& arrival, Frame& frame);
    static std::span<const uint8_t> without_tag(const UnderlayEnd& below, const Frame& frame);
    static void post_announcement(UnderlayEnd& below, const Frame& frame);
    void unwrap(const Arrival& arrival, Frame& frame);
    void restore_unsent(const End& end, std::span<const Frame> burst, const Wrapped& wrapped,
                        std::size_t sent);
    void free(const Frame& frame);

    Pool& pool_;
    PortSet tunnels_ = 0;
    PortSet underlays_ = 0;
    PortSet to_many_ = 0;
    std::array<std::unique_ptr<Below>, max_ports> below_;  // by underlay
    std::array<std::unique_ptr<End>, max_ports> ends_;     // by tunnel
    std::array<std::unique_ptr<Kept>, max_ports> kept_;    // of both
    std::array<PortIndex, max_ports> underlay_of_{};
};

}  // namespace sluice::pmd
