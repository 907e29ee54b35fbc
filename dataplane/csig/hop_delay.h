// HopDelay: measures the delay of frames in one queue. Frames have no time of arrival, so a mark at
// the queue's tail is timed. The mark is due once as many frames have left as were queued when it
// was set; its age is then the delay of the frame before it. Then the next mark is set.
//
// A frame that leaves before a mark is due has a delay of at least the age of the mark, as it was
// queued before the mark was set. So the delay is the greater of the last mark's delay and the
// present mark's age. It is 0 once the queue was found empty.
// Bound: constant time for each call of `look`; one call for each burst that is sent. Exact to a
// poll, like all times. If frames of another input overtake the frames before a mark, the mark is
// due earlier, by the number of these frames.
#pragma once

#include <algorithm>
#include <cstdint>

#include "dataplane/types/units.h"

namespace sluice {

class HopDelay {
  public:
    // `left`: frames that have left the queue, modulo 2^32; `waiting`: frames in the queue.
    void look(uint32_t left, uint64_t waiting, Nanos now) {
        if (was_empty_) last_ = Nanos(0);
        if (is_marked_ && static_cast<int32_t>(left - mark_) >= 0) {
            last_ = now - marked_at_;
            is_marked_ = false;
        }
        was_empty_ = waiting == 0;
        if (was_empty_) is_marked_ = false;
        if (!was_empty_ && !is_marked_) {
            is_marked_ = true;
            mark_ = left + static_cast<uint32_t>(waiting);
            marked_at_ = now;
        }
        delay_ = is_marked_ ? std::max(last_, now - marked_at_) : last_;
    }
    [[nodiscard]] Nanos delay() const { return delay_; }

  private:
    Nanos last_;
    Nanos delay_;
    Nanos marked_at_;
    uint32_t mark_ = 0;
    bool is_marked_ = false;
    bool was_empty_ = true;
};

}  // namespace sluice
