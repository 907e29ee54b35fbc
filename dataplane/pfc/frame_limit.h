// FrameLimit: how many frames a second are listened to. A token bucket that holds a hundredth of a
// second's worth, at least `burst` frames. A limit of 0 lets everything by.
// Bound: O(1); in any second at most 1.01 x limit + burst frames.
#pragma once

#include <algorithm>
#include <cstdint>

#include "dataplane/units.h"

namespace sluice {

class FrameLimit {
  public:
    void configure(uint32_t frames_a_second, uint32_t burst = 1) {
        const Nanos cost(frames_a_second == 0 ? 0 : 1'000'000'000 / frames_a_second);
        const Nanos most = std::max(Nanos(10'000'000), cost * burst);
        if (cost == cost_ && most == most_) return;
        cost_ = cost;
        credit_ = most_ = most;
    }
    // True, and one is taken, or it is one too many.
    [[nodiscard]] bool takes(Nanos now) {
        credit_ = std::min(most_, credit_ + (now - last_));
        last_ = now;
        if (credit_ < cost_) return false;
        credit_ -= cost_;
        return true;
    }

  private:
    Nanos cost_;
    Nanos most_;
    Nanos credit_;
    Nanos last_;
};

}  // namespace sluice
