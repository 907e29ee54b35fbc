// Scheduler: chooses the priority of a port that sends next. Priorities belong to at most eight
// traffic classes. The highest strict class sends first; the other classes share the rest by WRR or
// DWRR. Priorities of one class take turns, frame by frame, the higher first.
// Bound: O(1) a frame. If each class has only the priority of its own number, no mapping is done.
// The object is small: `Egress` copies it before a choice and restores the copy if the device
// refuses.
// To add a scheduler, add a file like wrr.h and its test, its enumerator (settings.h), its row in
// `SharingSchedulers`, its key (config/port/output_keys.h) and the key's line in config/README.md.
// If one of these is missing, the build or tests/house fails. Then the configuration accepts the
// scheduler, ports use it, and DCBX advertises it as ETS.
// Not here: pausing and shaping; the caller passes the eligible priorities.
// Follows 802.1Q 8.6.6, 8.6.8 and 37.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <string_view>

#include "dataplane/egress/dwrr.h"
#include "dataplane/egress/strict_priority.h"
#include "dataplane/egress/wrr.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

// The schedulers by which classes of a port can share the rate that strict classes leave, one row
// each. A row has `discipline`, `key` (its name in a configuration), `configure` with the weights,
// and `next` as in Wrr or Dwrr.
template <class... Row>
class SharingRows : Row... {
  public:
    struct Choice {
        Discipline discipline;
        std::string_view key;
    };
    static constexpr std::array choices = {Choice{Row::discipline, Row::key}...};

    void configure(const std::array<uint16_t, max_priorities>& weight) {
        (Row::configure(weight), ...);
    }
    template <class HeadLength>
    Priority next(Discipline chosen, PrioritySet eligible, PrioritySet backlogged,
                  HeadLength head) {
        return next_of<Row...>(chosen, eligible, backlogged, head);
    }

  private:
    template <class First, class... Later>
    Priority next_of(Discipline chosen, PrioritySet eligible, PrioritySet backlogged, auto head) {
        if constexpr (sizeof...(Later) > 0) {
            if (chosen != First::discipline)
                return next_of<Later...>(chosen, eligible, backlogged, head);
        }
        assert(chosen == First::discipline);
        if constexpr (requires { First::next(eligible); }) {
            return First::next(eligible);
        } else {
            return First::next(eligible, backlogged, head);
        }
    }
};

// The schedulers, in the order of Discipline.
using SharingSchedulers = SharingRows<Wrr, Dwrr>;
static_assert(
    [] {
        std::size_t next = static_cast<std::size_t>(Discipline::strict) + 1;
        for (const auto& row : SharingSchedulers::choices) {
            if (static_cast<std::size_t>(row.discipline) != next++) return false;
        }
        return next == static_cast<std::size_t>(Discipline::last) + 1;
    }(),
    "a discipline has no row, or the rows are not in their order");

class Scheduler {
  public:
    void configure(const SchedulerSettings& settings) {
        strict_ = 0;
        in_turns_ = Discipline::dwrr;
        members_.fill(0);
        maps_ = settings.traffic_class != SchedulerSettings::own_class;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            const Discipline discipline = settings.discipline[priority];
            if (discipline == Discipline::strict) {
                strict_ |= only_priority(priority);
            } else {
                in_turns_ = discipline;
            }
            assert(settings.traffic_class[priority] < max_priorities);
            members_[settings.traffic_class[priority]] |= only_priority(priority);
        }
        alone_ = 0;
        for (Priority number = 0; number < max_priorities; ++number) {
            const PrioritySet members = members_[number];
            const bool one = (members & (members - 1)) == 0;
            if (one && (strict_ & only_priority(number)) != 0) alone_ |= members;
        }
        sharing_.configure(settings.weight);
    }

    // Whether a choice depends on earlier choices, not only on the eligible priorities.
    [[nodiscard]] bool takes_turns() const { return alone_ != 0xFF; }
    // Returns the priorities that `next` chooses whenever they are eligible and no higher one is.
    [[nodiscard]] PrioritySet strict() const { return alone_; }
    [[nodiscard]] bool is_strict(Priority priority) const {
        return (alone_ & only_priority(priority)) != 0;
    }

    template <class HeadLength>
    Priority next(PrioritySet eligible, PrioritySet backlogged, HeadLength head) {
        assert(eligible != 0 && (eligible & ~backlogged) == 0);
        if (maps_) [[unlikely]]
            return next_of_classes(eligible, backlogged, head);
        return choose(eligible, backlogged, head);
    }

  private:
    // Chooses among traffic classes, given as bits like priorities.
    template <class HeadLength>
    Priority choose(PrioritySet eligible, PrioritySet backlogged, HeadLength head) {
        const PrioritySet strict = eligible & strict_;
        if (strict != 0) return highest(strict);
        return sharing_.next(in_turns_, eligible, backlogged, head);
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

    PrioritySet strict_ = 0xFF;               // strict classes
    PrioritySet alone_ = 0xFF;                // priorities that have a strict class for themselves
    Discipline in_turns_ = Discipline::dwrr;  // scheduler of the classes that are not strict
    bool maps_ = false;  // whether a priority has a class other than that of its number
    std::array<PrioritySet, max_priorities> members_{};  // priorities of each class
    std::array<Priority, max_priorities> last_{};        // priority served last in each class
    SharingSchedulers sharing_;
};

}  // namespace sluice
