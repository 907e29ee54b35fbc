// Joins: members of an aggregation that hold back what they have to send, so that flows which come
// to them from other members keep their order. A port joins when it opens, or when the aggregation
// is another (Aggregations::takes_over_from), and sends once those others have sent what they held
// at that time.
//
// A member is waited for by priority, until it was seen to hold nothing, and everybody `settles`
// longer, which is for what its device holds, and for what other workers give it that have not seen
// the newcomer yet. Meanwhile frames wait for the port as for any that is busy.
// Bound: `longest`, also where a member stays busy or is paused; then flows that came from there
// may be out of order once. O(members x priorities) a call, while a port joins. One worker's ports.
#pragma once

#include <array>

#include "dataplane/limits.h"
#include "dataplane/units.h"

namespace sluice {

class Joins {
  public:
    static constexpr Nanos settles{1'000'000};  // 600 full frames at 10G
    static constexpr Nanos longest{100'000'000};

    // `port` joins now; flows come to it from `others`.
    void begin(PortIndex port, PortSet others, Nanos now) {
        Join& join = joins_[port];
        join.waits_for = others;
        join.ends = now + (others != 0 ? longest : Nanos(0));
        for_each_port(others, [&](PortIndex other) { join.busy[other] = 0xFF; });
    }
    // Whether it may send. `is_empty(other, priority)`: the member holds none of that.
    template <class IsEmpty>
    [[nodiscard]] bool is_over(PortIndex port, Nanos now, IsEmpty is_empty) {
        Join& join = joins_[port];
        if (now >= join.ends) return true;
        if (join.waits_for == 0) return false;
        for_each_port(join.waits_for, [&](PortIndex other) {
            PrioritySet& busy = join.busy[other];
            for_each_priority(busy, [&](Priority priority) {
                if (is_empty(other, priority)) {
                    busy = static_cast<PrioritySet>(busy & ~only_priority(priority));
                }
            });
            if (busy == 0) join.waits_for &= ~only(other);
        });
        if (join.waits_for == 0) join.ends = now + settles;
        return false;
    }

  private:
    struct Join {
        PortSet waits_for = 0;
        Nanos ends;
        std::array<PrioritySet, max_ports> busy{};  // of those, since it came in
    };

    std::array<Join, max_ports> joins_;
};

}  // namespace sluice
