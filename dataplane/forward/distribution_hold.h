// DistributionHold: stops a member of an aggregation that takes over flows until the previous
// members have sent their queued frames, so that each flow keeps its order (802.1AX 6.2.4). Flows
// move when a port comes up, and when members change (Aggregations::takes_over_from).
//
// The previous members are checked priority by priority until each priority was seen empty once.
// Then the port waits for another `drain_time`: for frames in the devices of the previous members,
// and for frames that workers queue there before they adopt the change. Until then the port's
// frames wait in their queues as for any busy port.
// Bound: waits for at most `longest`, even if a member stays busy or is paused; then the flows of
// that member may be reordered once. O(members x priorities) a call, while a port waits. Serves the
// ports of one worker.
#pragma once

#include <array>
#include <cassert>

#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

class DistributionHold {
  public:
    static constexpr Nanos drain_time{1'000'000};  // 600 full frames at 10G
    static constexpr Nanos longest{100'000'000};

    // Makes `port` wait, since it takes over flows of `others`.
    void begin(PortIndex port, PortSet others, Nanos now) {
        assert((others & only(port)) == 0 && "a port does not wait for itself");
        Hold& hold = holds_[port];
        hold.waits_for = others;
        hold.ends = now + (others != 0 ? longest : Nanos(0));
        for_each_port(others, [&](PortIndex other) { hold.busy[other] = 0xFF; });
    }
    // Whether `port` may send. `is_empty(other, priority)` returns whether a member has no queued
    // frame of the priority.
    template <class IsEmpty>
    [[nodiscard]] bool is_over(PortIndex port, Nanos now, IsEmpty is_empty) {
        Hold& hold = holds_[port];
        if (now >= hold.ends) return true;
        if (hold.waits_for == 0) return false;
        for_each_port(hold.waits_for, [&](PortIndex other) {
            PrioritySet& busy = hold.busy[other];
            for_each_priority(busy, [&](Priority priority) {
                if (is_empty(other, priority)) {
                    busy = static_cast<PrioritySet>(busy & ~only_priority(priority));
                }
            });
            if (busy == 0) hold.waits_for &= ~only(other);
        });
        if (hold.waits_for == 0) hold.ends = now + drain_time;
        return false;
    }

  private:
    struct Hold {
        PortSet waits_for = 0;
        Nanos ends;
        // Priorities of each member that were not empty yet.
        std::array<PrioritySet, max_ports> busy{};
    };

    std::array<Hold, max_ports> holds_;
};

}  // namespace sluice
