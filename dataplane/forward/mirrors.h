// Mirrors: selects the ports that get a copy of the frames that other ports receive or send.
//
// A copy is a reference, as in a flood, and is sent as the frame was received. A received frame is
// copied when it is queued for any output, a sent frame when it is queued for the mirrored output.
// So frames dropped before that are not copied, and frames dropped later (link down, pause storm)
// are. A port gets one copy of a frame, even if several mirrors select it.
// Bound: O(1) a frame, and O(outputs) for a frame flooded to ports whose sent frames are mirrored.
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
    // Returns the ports that get a copy of a frame from `input` with these `outputs`; none if it
    // has no output.
    [[nodiscard]] PortSet copies(PortIndex input, PortSet outputs) const {
        if (outputs == 0) return 0;
        PortSet ports = taken_[input];
        for_each_port(outputs & sending_, [&](PortIndex output) { ports |= sent_[output]; });
        return ports & ~outputs & ~only(input);
    }

  private:
    bool any_ = false;
    PortSet sending_ = 0;  // ports whose sent frames are mirrored
    std::array<PortSet, max_ports> taken_{};
    std::array<PortSet, max_ports> sent_{};
};

}  // namespace sluice
