// RetrySequence: the number of a frame on a link that sends again what was lost. Numbers have 20
// bits and go round (UEC 1.0.3, section 5.1, by SAI's doc/LLR), so one is before another where the
// way forward to it is shorter than half the circle.
#pragma once

#include <cstdint>

namespace sluice {

class RetrySequence {
  public:
    static constexpr unsigned bits = 20;
    static constexpr uint32_t count = 1U << bits;
    // Fewer frames than that may wait to be acknowledged, or old and new would look alike.
    static constexpr uint32_t most_waiting = count / 2;

    constexpr RetrySequence() = default;
    explicit constexpr RetrySequence(uint32_t number) : number_(number % count) {}

    [[nodiscard]] constexpr uint32_t number() const { return number_; }
    [[nodiscard]] constexpr RetrySequence after(uint32_t frames) const {
        return RetrySequence(number_ + frames);
    }
    [[nodiscard]] constexpr RetrySequence before() const { return RetrySequence(number_ - 1); }
    // Frames from `from` to this one, 0 to count - 1.
    [[nodiscard]] constexpr uint32_t since(RetrySequence from) const {
        return (number_ - from.number_) % count;
    }
    [[nodiscard]] constexpr bool is_before(RetrySequence other) const {
        const uint32_t forward = other.since(*this);
        return forward != 0 && forward < count / 2;
    }

    friend constexpr bool operator==(RetrySequence, RetrySequence) = default;

  private:
    uint32_t number_ = 0;
};

// RetryOrder: which transmission of a session it was, from 0, those that go again counted as well,
// in 32 bits that go round. A wire keeps their order, so a gap in it is what was lost, and what is
// said of one is said of that transmission alone, not of the frame, which may have gone again.
struct RetryOrder {
    [[nodiscard]] static constexpr bool is_before(uint32_t order, uint32_t other) {
        return static_cast<int32_t>(order - other) < 0;
    }
};

}  // namespace sluice
