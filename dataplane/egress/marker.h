// Marker: one worker's congestion marks: the curve of every (output, priority), and its draws.
//
// Asked for each grant: `covers` says whether the queue has a curve at all, and then `mark` looks
// at the frames that cross. A frame without an IP header, or whose buffer others share, is passed
// over.
// Bound: a comparison a grant where no curve is set.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dataplane/egress/ecn.h"
#include "dataplane/fabric/crossbar.h"
#include "dataplane/frame.h"
#include "dataplane/limits.h"
#include "dataplane/random.h"
#include "dataplane/settings.h"
#include "dataplane/units.h"

namespace sluice {

class Marker {
  public:
    explicit Marker(uint64_t seed) : random_(seed) {}

    // `shallow`: as many octets may reach an output without having waited in a VOQ.
    void configure(const std::vector<PortSettings>& ports, Bytes shallow) {
        for (std::size_t output = 0; output < ports.size(); ++output) {
            covered_[output] = 0;
            marks_when_shallow_ &= ~only(static_cast<PortIndex>(output));
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                const Ecn curve(ports[output].ecn[priority]);
                curves_[output][priority] = curve;
                if (curve.is_on()) covered_[output] |= only_priority(priority);
                if (curve.may_mark(shallow)) {
                    marks_when_shallow_ |= only(static_cast<PortIndex>(output));
                }
            }
        }
    }
    [[nodiscard]] bool covers(Grant path) const {
        return (covered_[path.output] & only_priority(path.priority)) != 0;
    }
    // Outputs with a queue for which that is deep enough for a mark.
    [[nodiscard]] PortSet marks_when_shallow() const { return marks_when_shallow_; }
    // Returns how many got a mark.
    std::size_t mark(Grant path, Bytes depth, std::span<const Frame> frames) {
        const Ecn& curve = curves_[path.output][path.priority];
        std::size_t marked = 0;
        for (const Frame& frame : frames) {
            if (!frame.has_network() || !curve.marks(depth, random_.next())) continue;
            if (mark_congestion(frame.data + frame.network_offset)) ++marked;
        }
        return marked;
    }

  private:
    std::array<PrioritySet, max_ports> covered_{};
    PortSet marks_when_shallow_ = 0;
    std::array<std::array<Ecn, max_priorities>, max_ports> curves_;
    Random random_;
};

}  // namespace sluice
