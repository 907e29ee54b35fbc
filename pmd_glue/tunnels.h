// Tunnels: sends and receives for the tunnels of one worker. Each uses the device of another port,
// its underlay.
//
// Receiving. When one of the ports on a device is polled, it gets the frames that are kept for it;
// if there are none, a burst is received from the device. A tunnel's frames are unwrapped and kept
// for it, other frames are kept for the underlay. Frames that the decapsulator refuses
// (dataplane/tunnel/decapsulator.h) are counted and freed. Requests for the underlay's addresses
// (ARP, neighbour discovery) are passed to control and freed; announcements of other stations are
// passed to control as well. An inner frame that is shorter than Ethernet allows is padded with
// zeros.
//
// Sending. The outer headers are written into the headroom of the frame's buffer if no other port
// holds that buffer, else before a copy. Frames that the underlay's device refuses are returned
// without those headers; while the next hop's address is unknown all frames are refused.
//
// Tunnels to many VTEPs. A frame for a station behind a known VTEP is sent only to that VTEP. Every
// other frame, also one for a group, is copied to each VTEP that receives floods, at most
// `copies_a_poll` in a poll. The copies have the frame's own octets. They are made one after the
// other as the device accepts them, and not while the underlay's peer pauses their priority. A
// tunnel has one flood in progress at a time, and accepts no frames until the flood is complete, so
// frames keep their order. A frame to a VTEP whose next hop is unknown is counted for the VTEP and
// freed. A flood that ends before each VTEP had its copy, since the tunnel was removed, is counted
// by the underlay.
//
// VLANs that select the network (bundle.h). The tag of a sent frame is removed, and a received
// frame gets the tag of its network. A frame without such a tag, or with a second one (RFC 7348
// 6.1), is counted and freed.
//
// Bound: one burst of frames is kept for each port, and one frame that is being flooded. An
// underlay has one lane and no queues by priority; it and its tunnels belong to one worker. Frames
// for a tunnel do not use the underlay's queues: only its device, and pauses received there
// (Shard::block), hold a tunnel back.
// Without tunnels this class costs one test of a word for each burst (devices.h).
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

// Ports by PortIndex; null for an empty slot.
using Ports = std::array<PortBursts*, max_ports>;

class Tunnels {
  public:
    explicit Tunnels(Pool& pool) : pool_(pool) {}
    Tunnels(const Tunnels&) = delete;
    Tunnels& operator=(const Tunnels&) = delete;

    // Replaces the ports. Called between polls.
    void use(const Ports& ports);
    // Returns the tunnels whose underlay exists, and those underlays.
    [[nodiscard]] PortSet ports() const { return tunnels_ | underlays_; }
    [[nodiscard]] bool is_tunnel(PortIndex port) const { return (tunnels_ & only(port)) != 0; }
    // Returns the underlay, by whose device the tunnel sends.
    [[nodiscard]] PortBursts& underlay(PortIndex tunnel) const {
        return *ends_[tunnel]->below->port;
    }

    std::size_t receive(PortIndex port, std::span<Frame> burst);
    // Whether frames are kept for any port.
    [[nodiscard]] bool keep_any() const;
    std::size_t transmit(PortIndex tunnel, std::span<const Frame> burst);
    // Whether the first frame that the last `transmit` left is longer than its device can accept.
    [[nodiscard]] bool gives_up(PortIndex tunnel) const {
        const End& end = *ends_[tunnel];
        return end.was_refused && end.below->port->gives_up();
    }
    // Returns the point-to-multipoint tunnels.
    [[nodiscard]] PortSet to_many() const { return to_many_; }
    // Whether a flood is in progress in this tunnel. `any_floods`: in any tunnel.
    [[nodiscard]] bool floods(PortIndex tunnel) const {
        return ends_[tunnel]->flooded.handle != nullptr;
    }
    [[nodiscard]] bool any_floods() const;
    // Called at the end of each poll for each point-to-multipoint tunnel: continues its flood,
    // unless its priority is `blocked`, and ages the stations behind its VTEPs.
    void go_on(PortIndex tunnel, PrioritySet blocked = 0);
    static constexpr std::size_t copies_a_poll = 128;
    // Whether stations behind VTEPs of any tunnel are due to age; each poll ages a part of a
    // network.
    [[nodiscard]] bool are_to_age() const;
    // Returns the octets of the tunnel's outer headers.
    [[nodiscard]] std::size_t outer_octets(PortIndex tunnel) const {
        return ends_[tunnel]->encapsulator.octets();
    }
    // Writes the outer headers into the first octets of a generated frame, which are reserved for
    // the headers. Returns false if the next hop is not known.
    [[nodiscard]] bool wrap_generated(PortIndex tunnel, const Frame& frame) const;
    // Frees all kept frames. Called after the last poll.
    void free_kept();

  private:
    // Received frames that are kept for one port.
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
        PortSet over = 0;                         // the underlay and its tunnels
        std::array<PortIndex, max_ports> places;  // tunnels, in the decapsulator's order
        std::size_t count = 0;
    };
    struct End {
        Below* below = nullptr;
        TunnelEnd* shared = nullptr;
        Encapsulator encapsulator;
        // Octets of the tag that is removed from a frame before encapsulation.
        uint16_t tag = 0;
        Vteps* only_network = nullptr;  // the network of a tunnel to many VTEPs without VLANs
        // State of a point-to-multipoint tunnel. While a flood is in progress, `flooded` has a
        // handle. Copies are then due for the slots of `flooded_in` from `next_slot` on, except for
        // VTEPs that were added after `flooded_by`. `room`: copies that may still be made in this
        // poll. `ageing`: the network whose stations age in this poll.
        Frame flooded{};
        Vteps* flooded_in = nullptr;
        uint64_t flooded_by = 0;
        std::size_t next_slot = 0;
        std::size_t room = copies_a_poll;
        std::size_t ageing = 0;
        bool was_refused = false;  // the device refused a frame of the last burst
    };
    // Destination of a frame in a tunnel to many: a network, or null if none carries the frame, and
    // a VTEP of the network, or nothing if the frame is flooded.
    struct Way {
        Vteps* network = nullptr;
        std::optional<std::size_t> slot = {};
    };
    // Frames with their outer headers, and the tags that were removed.
    struct Wrapped {
        std::array<Frame, max_burst> frames;
        std::array<uint32_t, max_burst> tags;
    };
    static constexpr std::size_t copies_a_burst = 32;

    void use_underlay(PortIndex port, const Ports& ports);
    std::size_t sort(Below& below, PortIndex port, std::span<Frame> burst);
    void end_flood(End& end);
    void cut_off_flood(End& end, UnderlayEnd* below);
    // Sends the frames to `next_hop` or, if `ways` is not empty, each frame by the way at its
    // index.
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
    std::array<std::unique_ptr<Below>, max_ports> below_;  // by PortIndex of the underlay
    std::array<std::unique_ptr<End>, max_ports> ends_;     // by PortIndex of the tunnel
    std::array<std::unique_ptr<Kept>, max_ports> kept_;    // by PortIndex of underlay or tunnel
    std::array<PortIndex, max_ports> underlay_of_{};
};

}  // namespace sluice::pmd
