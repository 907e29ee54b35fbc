// Scheduler: which priority of a port sends next: strict priorities first, the highest of them;
// then the others by WRR or DWRR.
// Bound: O(1) a frame. Not done here: pausing and shaping; the caller says who is eligible.
// Follows 802.1Q 8.6.8 and 37.
#pragma once

#include "dataplane/egress/dwrr.h"
#include "dataplane/egress/strict_priority.h"
#include "dataplane/egress/wrr.h"
#include "dataplane/limits.h"
#include "dataplane/settings.h"
#include "dataplane/units.h"

namespace sluice {

class Scheduler {
  public:
    void configure(const SchedulerSettings& settings) {
        strict_ = 0;
        by_frames_ = false;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            const Discipline discipline = settings.discipline[priority];
            if (discipline == Discipline::strict) strict_ |= only_priority(priority);
            if (discipline == Discipline::wrr) by_frames_ = true;
        }
        wrr_.configure(settings.weight);
        dwrr_.configure(settings.weight);
    }

    // False: what it chooses depends on who is eligible and on nothing before.
    [[nodiscard]] bool takes_turns() const { return strict_ != 0xFF; }
    // True when `next` would go on choosing this priority as long as it is eligible.
    [[nodiscard]] bool is_strict(Priority priority) const {
        return (strict_ & only_priority(priority)) != 0;
    }

    template <class HeadLength>
    Priority next(PrioritySet eligible, PrioritySet backlogged, HeadLength head) {
        const PrioritySet strict = eligible & strict_;
        if (strict != 0) return highest(strict);
        return by_frames_ ? wrr_.next(eligible) : dwrr_.next(eligible, backlogged, head);
    }

  private:
    PrioritySet strict_ = 0xFF;
    bool by_frames_ = false;
    Wrr wrr_;
    Dwrr dwrr_;
};

}  // namespace sluice
