// Aqm: active queue management (RFC 7567) of one worker. By the curve of an (output, priority), it
// marks frames that leave the VOQs, and drops arriving frames before they are queued (WRED).
//
// For each grant: `covers` returns whether the queue has a curve, and `mark` then marks frames that
// cross the fabric. `mark` skips a frame that has no ECN in its IP header or format, or whose
// buffer is shared.
// For each frame to one of `dropping_outputs`: `drops`. Frames for which `spares` returns true are
// not dropped: those that are ECN-capable, which are marked instead, and those with a shared
// buffer, whose ECN is not known.
// Bound: one comparison a grant if no curve is set, and one test of a word a frame if no curve
// drops. The depth of a queue that drops is a sum over inputs, for each frame that is not spared.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "dataplane/egress/ecn.h"
#include "dataplane/fabric/crossbar.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/random.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class Aqm {
  public:
    explicit Aqm(uint64_t seed) : random_(seed) {}

    void configure(const std::vector<PortSettings>& ports) {
        dropping_outputs_ = 0;
        for (std::size_t port = 0; port < ports.size(); ++port) {
            const auto output = static_cast<PortIndex>(port);
            covered_[output] = dropping_[output] = 0;
            places_[output] = EcnPlace(ports[output].format.ecn);
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                const EcnSettings& settings = ports[output].ecn[priority];
                const Ecn curve(settings);
                curves_[output][priority] = curve;
                if (curve.is_on()) covered_[output] |= only_priority(priority);
                if (curve.is_on() && settings.drop) dropping_[output] |= only_priority(priority);
            }
            if (dropping_[output] != 0) dropping_outputs_ |= only(output);
        }
    }
    [[nodiscard]] bool covers(QueueKey path) const {
        return (covered_[path.output] & only_priority(path.priority)) != 0;
    }
    // Return the outputs with a queue that WRED may drop from; and whether the queue of `path` is
    // such a queue.
    [[nodiscard]] PortSet dropping_outputs() const { return dropping_outputs_; }
    [[nodiscard]] bool may_drop(QueueKey path) const {
        return (dropping_[path.output] & only_priority(path.priority)) != 0;
    }
    // Returns how many frames were marked CE.
    std::size_t mark(QueueKey path, Bytes depth, std::span<const Frame> frames) {
        assert(covers(path));
        const Ecn& curve = curves_[path.output][path.priority];
        const EcnPlace place = places_[path.output];
        std::size_t marked = 0;
        for (const Frame& frame : frames) {
            if (!place.is_in(frame) || !curve.acts(depth, random_.next())) continue;
            if (place.mark(frame)) ++marked;
        }
        return marked;
    }
    [[nodiscard]] bool spares(const Frame& frame, PortIndex output) const {
        const EcnPlace place = places_[output];
        return frame.is_shared() || (place.is_in(frame) && place.is_capable(frame));
    }
    // Whether a frame is dropped when its queue holds `depth`. Requires `may_drop`.
    bool drops(QueueKey path, Bytes depth) {
        assert(may_drop(path));
        return curves_[path.output][path.priority].acts(depth, random_.next());
    }

  private:
    std::array<PrioritySet, max_ports> covered_{};
    std::array<PrioritySet, max_ports> dropping_{};
    std::array<EcnPlace, max_ports> places_;
    PortSet dropping_outputs_ = 0;
    std::array<std::array<Ecn, max_priorities>, max_ports> curves_;
    Random random_;
};

}  // namespace sluice
