// Tunnels: the tunnels of the ports that a worker polls, each over the device of another port, its
// underlay.
//
// Whichever port over a device is asked takes a burst of it once nothing is kept for that port:
// what is a tunnel's is unwrapped and kept for it, what is not for the underlay, refusals
// (dataplane/tunnel/decapsulator.h) are counted and let go of, and so is what asks for the
// underlay's addresses, after control was told; what others announce control is told as well. What
// was kept goes first.
// A frame that goes into a tunnel gets the octets of its kind in front, in the headroom of its
// buffer where nobody else holds that, else of a copy. What the underlay's device refuses is given
// back as it was; while the next hop is not known all is.
// A carried frame that is shorter than a wire's shortest is filled up with zeros.
// Bound: for each port a burst of frames is kept. An underlay has one lane, and no queue a priority
// of its own; it and its tunnels are of one worker. Past the queues of the underlay: only its
// device, and who pauses it (Shard::block), hold a tunnel back.
// Nothing is paid where there is no tunnel but the test of a word a burst (devices.h).
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
