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
// Bound: a burst of frames is kept for each port. An underlay has one lane and no queues by
// priority; it and its tunnels are of one worker. Frames for a tunnel do not go through the
// underlay's queues: only its device, and pauses received there (Shard::block), hold a tunnel back.
// Without tunnels it costs the test of one word a burst (devices.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "dataplane/frame.h"
#include "dataplane/limits.h"
#include "dataplane/tunnel/decapsulator.h"
#include "dataplane/tunnel/encapsulator.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"

namespace sluice::pmd {

// By PortIndex; null where there is none.
using Ports = std::array<Port*, max_ports>;

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
    [[nodiscard]] Port& underlay(PortIndex tunnel) const { return *ends_[tunnel]->below->port; }

    std::size_t receive(PortIndex port, std::span<Frame> burst);
    std::size_t transmit(PortIndex tunnel, std::span<const Frame> burst);
    // What goes before each frame in it.
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
        Port* port = nullptr;
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
    };

    void use_underlay(PortIndex port, const Ports& ports);
    std::size_t sort(Below& below, PortIndex port, std::span<Frame> burst);
    static std::span<const uint8_t> without_tag(const UnderlayEnd& below, const Frame& frame);
    static void post_announcement(UnderlayEnd& below, const Frame& frame);
    void unwrap(const Arrival& arrival, Frame& frame);
    void restore_unsent(const End& end, std::span<const Frame> burst,
                        std::span<const Frame> wrapped, std::size_t sent);
    void free(const Frame& frame);

    Pool& pool_;
    PortSet tunnels_ = 0;
    PortSet underlays_ = 0;
    std::array<std::unique_ptr<Below>, max_ports> below_;  // by underlay
    std::array<std::unique_ptr<End>, max_ports> ends_;     // by tunnel
    std::array<std::unique_ptr<Kept>, max_ports> kept_;    // of both
    std::array<PortIndex, max_ports> underlay_of_{};
};

}  // namespace sluice::pmd
