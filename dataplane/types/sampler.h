// Sampler: picks one frame in N, on average. The gap between two picks is drawn evenly from 1 to
// 2N - 1, so that a periodic pattern of frames is not picked more or less often than others: each
// frame has the same chance. RFC 3176 asks for a random gap and for this.
// Bound: a subtraction a burst, and a draw a frame that was picked.
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

    // One frame in `one_in`; 0: none. An unchanged number does not restart the present gap.
    void configure(uint32_t one_in) {
        if (one_in == one_in_) return;
        one_in_ = one_in;
        until_next_ = one_in == 0 ? 0 : gap() - 1;
    }
    [[nodiscard]] bool is_on() const { return one_in_ != 0; }
    [[nodiscard]] uint32_t one_in() const { return one_in_; }

    // Call only if sampling is on: picks among the next `frames` frames, and visits the index of
    // each picked frame.
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
    std::size_t until_next_ = 0;  // frames that pass before it
};

}  // namespace sluice
