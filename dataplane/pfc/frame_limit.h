// FrameLimit: limits the number of frames a second that are accepted, by a token bucket that holds
// the tokens of 10 ms, or `burst` frames if that is more. A limit of 0 accepts all frames.
// Bound: O(1); in any second at most 1.01 x limit + burst frames.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "dataplane/types/token_bucket.h"
#include "dataplane/types/units.h"

namespace sluice {

class FrameLimit {
  public:
    void configure(uint32_t frames_a_second, uint32_t burst = 1) {
        const int64_t cost = frames_a_second == 0 ? 0 : 1'000'000'000 / frames_a_second;
        assert(burst > 0);
        const int64_t most = std::max(int64_t{10'000'000}, cost * burst);
        if (cost == cost_ && most == bucket_.most()) return;
        cost_ = cost;
        bucket_ = TokenBucket(1, most, most);
    }
    // Takes a token and returns true, or returns false if the frame is above the limit.
    [[nodiscard]] bool takes(Nanos now) {
        bucket_.advance(now);
        return bucket_.affords(cost_);
    }

  private:
    int64_t cost_ = 0;  // cost of a frame in ns
    TokenBucket bucket_;
};

}  // namespace sluice
