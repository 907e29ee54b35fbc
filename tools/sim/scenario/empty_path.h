// EmptyPath: computes how long a message takes from one host to another in an idle network: from
// its due time until the receiver has its last octet, including the stages of both hosts.
//
// The frames of the message are sent back to back at the speed of the sender's cable. Each switch
// receives a frame as in a run (network/switch_node.h): a fixed latency after the last bit, or
// under cut-through after the header. It sends the frame as soon as the previous frame has left. So
// a slower cable on the path delays all later frames, and a short last frame does not overtake a
// longer one.
// Of several equal paths one is used: in named topologies these are all alike.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/sim/network/picos.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

class EmptyPath {
  public:
    explicit EmptyPath(const NetworkScenario& scenario);

    // Returns the time of a message of this length, in frames that carry `carried` octets and have
    // `around` others, including FCS.
    [[nodiscard]] Picos time(std::size_t from, std::size_t to, Bytes message, Bytes carried,
                             Bytes around) const;

  private:
    // A cable, and how the device at its end receives a frame.
    struct Stage {
        Cable cable;
        bool cuts = false;
        Bytes decides_by{0};
        Picos latency{};
        Picos crossbar{};  // delay in the crossbar of the switch before the cable

        // Returns when the device has received a frame that begins at `begin`.
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
    std::vector<std::vector<PortIndex>> ports_;  // port by switch and receiving host
    std::vector<std::vector<Next>> next_;  // end of the cable at each port, by switch and port
    std::vector<BitsPerSecond> fastest_;   // fastest cable of each switch
};

}  // namespace sluice::sim
