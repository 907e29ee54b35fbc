// Mirrors: which ports get a copy of the frames that other ports receive or send.
//
// A copy is a reference, as in a flood, and leaves as the frame came. A received frame is copied
// once it is in a queue for any output, a sent frame once it is in the queue for the mirrored
// output. So frames dropped before that are not copied, and frames dropped afterwards (link down,
// pause storm) are. If several mirrors lead one frame to the same port, the port gets it once.
// Bound: O(1) a frame, and O(outputs) for one that is flooded to ports whose sending is mirrored.
#pragma once

#include <array>
#include <cassert>
#include <span>

#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice {

class Mirrors {
  public:
    explicit Mirrors(std::span<const MirrorSettings> all = {}) {
        for (const MirrorSettings& mirror : all) {
            assert(mirror.to < max_ports);
            for_each_port(mirror.from, [&](PortIndex port) {
                if (mirror.direction != MirrorDirection::egress) taken_[port] |= only(mirror.to);
                if (mirror.direction != MirrorDirection::ingress) sent_[port] |= only(mirror.to);
            });
            if (mirror.direction != MirrorDirection::ingress) sending_ |= mirror.from;
            any_ = true;
        }
    }

    [[nodiscard]] bool any() const { return any_; }
    // The ports that get a copy of a frame from `input` that goes to `outputs`; none if it goes
    // nowhere.
    [[nodiscard]] PortSet copies(PortIndex input, PortSet outputs) const {
        if (outputs == 0) return 0;
        PortSet ports = taken_[input];
        for_each_port(outputs & sending_, [&](PortIndex output) { ports |= sent_[output]; });
        return ports & ~outputs & ~only(input);
    }

  private:
    bool any_ = false;
    PortSet sending_ = 0;  // ports whose sending is mirrored
    std::array<PortSet, max_ports> taken_{};
    std::array<PortSet, max_ports> sent_{};
};

}  // namespace sluice
