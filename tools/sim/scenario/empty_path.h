// EmptyPath: how long a message takes from one host to another where nothing else is under way:
// from when it is due to when the receiver has its last octet, stages of both hosts counted.
//
// Its frames leave back to back at the speed of the sender's cable. Each switch takes a frame in as
// it does in a run (network/switch_node.h): with its last bit, or under cut-through with its
// header, and after its latency; and sends it as soon as the one before has left. So a slower cable
// on the way holds up all behind it, and a short last frame does not overtake a longer one.
// Of equal ways it is one: topologies that have a name make them all alike.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/sim/network/picos.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

class EmptyPath {
  public:
    explicit EmptyPath(const NetworkScenario& scenario);

    // A message of so much, cut into frames that carry `carried` with `around` it, FCS counted.
    [[nodiscard]] Picos time(std::size_t from, std::size_t to, Bytes message, Bytes carried,
                             Bytes around) const;

  private:
    // A cable, and how the device at its end receives a frame.
    struct Stage {
        Cable cable;
        bool cuts = false;
        Bytes decides_by{0};
        Picos latency{};
        Picos crossbar{};  // of the switch that it comes from

        // A frame that begins at `begin`, of so much of the wire.
        [[nodiscard]] Picos taken(Picos begin, Bytes on_wire) const;
    };
    using Stages = std::vector<Stage>;

    [[nodiscard]] Stages stages(std::size_t from, std::size_t to) const;
    [[nodiscard]] Stage into(const Place& place, const Cable& cable) const;

    struct Next {
        Place to;
        Cable cable{};
    };

    const NetworkScenario& scenario_;
    std::vector<std::vector<PortIndex>> ports_;  // by switch and host: the way there
    std::vector<std::vector<Next>> next_;        // by switch and port
    std::vector<BitsPerSecond> fastest_;         // cable of each switch
};

}  // namespace sluice::sim
