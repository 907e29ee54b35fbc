// Sampler: picks one frame in N, on average. The gap between two picks is drawn evenly from 1 to 2N
// - 1, so that each frame has the same chance, even if the frames follow a periodic pattern. RFC
// 3176 requires a random gap.
// Bound: one subtraction for each burst, one draw for each picked frame.
// Not done here: using the picked frames.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "dataplane/types/random.h"

namespace sluice {

class Sampler {
  public:
    explicit Sampler(uint64_t seed) : random_(seed) {}

    // Sets the rate: one frame in `one_in`; 0: none. An unchanged rate does not restart the present
    // gap.
    void configure(uint32_t one_in) {
        if (one_in == one_in_) return;
        one_in_ = one_in;
        until_next_ = one_in == 0 ? 0 : gap() - 1;
    }
    [[nodiscard]] bool is_on() const { return one_in_ != 0; }
    [[nodiscard]] uint32_t one_in() const { return one_in_; }

    // Picks among the next `frames` frames, and visits the index of each picked frame. To be called
    // only if sampling is on.
    template <class Visit>
    void pick(std::size_t frames, Visit visit) {
        assert(is_on());
        if (until_next_ >= frames) [[likely]] {
            until_next_ -= frames;
            return;
        }
        std::size_t at = until_next_;
        for (; at < frames; at += gap()) visit(at);
        until_next_ = at - frames;
    }

  private:
    std::size_t gap() {
        return 1 + static_cast<std::size_t>(uint64_t{random_.next()} * (2 * one_in_ - 1) >> 32);
    }

    Random random_;
    uint32_t one_in_ = 0;
    std::size_t until_next_ = 0;  // frames before the next pick
};

}  // namespace sluice
