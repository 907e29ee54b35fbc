// Scheduler: which priority of a port sends next. Priorities belong to traffic classes, eight at
// the most; strict classes go first, the highest of them; then the others by WRR or DWRR.
// Priorities of one class share what it gets in turn, frame by frame, the higher first.
// Bound: O(1) a frame; where classes hold one priority each, and the one of their own number, a
// class is a priority and nothing is asked of it.
// A small value: `Egress` copies it before a choice and puts it back where the device refuses.
// To add a scheduler (a discipline): a file here and its test, `configure`, where the compiler
// asks for it, and `choose`, its enumerator (settings.h), its key (config/port/output_keys.h,
// config/loader.cc, `one_discipline_a_priority` in config/validate.cc, config/README.md), what DCBX
// advertises of it (control/dcbx/scheduling.cc), and tests/property/draw.h.
// Not done here: pausing and shaping; the caller says who is eligible.
// Follows 802.1Q 8.6.6, 8.6.8 and 37.
#pragma once

#include <array>

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
        in_turns_ = Discipline::dwrr;
        members_.fill(0);
        maps_ = settings.traffic_class != SchedulerSettings::own_class;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            switch (settings.discipline[priority]) {
                case Discipline::strict:
                    strict_ |= only_priority(priority);
                    break;
                case Discipline::wrr:
                    in_turns_ = Discipline::wrr;
                    break;
                case Discipline::dwrr:
                    break;
            }
            members_[settings.traffic_class[priority]] |= only_priority(priority);
        }
        alone_ = 0;
        for (Priority number = 0; number < max_priorities; ++number) {
            const PrioritySet members = members_[number];
            const bool one = (members & (members - 1)) == 0;
            if (one && (strict_ & only_priority(number)) != 0) alone_ |= members;
        }
        wrr_.configure(settings.weight);
        dwrr_.configure(settings.weight);
    }

    // False: its choice depends on the eligible priorities alone, not on earlier choices.
    [[nodiscard]] bool takes_turns() const { return alone_ != 0xFF; }
    // True when `next` would go on choosing this priority as long as it is eligible.
    [[nodiscard]] bool is_strict(Priority priority) const {
        return (alone_ & only_priority(priority)) != 0;
    }

    template <class HeadLength>
    Priority next(PrioritySet eligible, PrioritySet backlogged, HeadLength head) {
        if (maps_) [[unlikely]]
            return next_of_classes(eligible, backlogged, head);
        return choose(eligible, backlogged, head);
    }

  private:
    // Among traffic classes, given as bits like priorities.
    template <class HeadLength>
    Priority choose(PrioritySet eligible, PrioritySet backlogged, HeadLength head) {
        const PrioritySet strict = eligible & strict_;
        if (strict != 0) return highest(strict);
        return in_turns_ == Discipline::wrr ? wrr_.next(eligible)
                                            : dwrr_.next(eligible, backlogged, head);
    }
    template <class HeadLength>
    [[gnu::noinline]] Priority next_of_classes(PrioritySet eligible, PrioritySet backlogged,
                                               HeadLength head) {
        const auto turn = [&](Priority number) {
            const auto members = static_cast<PrioritySet>(eligible & members_[number]);
            return next_in_round(members, last_[number]);
        };
        const Priority chosen = choose(classes_of(eligible), classes_of(backlogged),
                                       [&](Priority number) { return head(turn(number)); });
        return last_[chosen] = turn(chosen);
    }
    [[nodiscard]] PrioritySet classes_of(PrioritySet priorities) const {
        PrioritySet classes = 0;
        for (Priority number = 0; number < max_priorities; ++number) {
            if ((priorities & members_[number]) != 0) classes |= only_priority(number);
        }
        return classes;
    }

    PrioritySet strict_ = 0xFF;               // classes
    PrioritySet alone_ = 0xFF;                // priorities that have a strict class for themselves
    Discipline in_turns_ = Discipline::dwrr;  // of the classes that are not strict
    bool maps_ = false;  // priorities to other classes than that of their number
    std::array<PrioritySet, max_priorities> members_{};  // of each class
    std::array<Priority, max_priorities> last_{};        // that was served in each class
    Wrr wrr_;
    Dwrr dwrr_;
};

}  // namespace sluice
