// RetrySequence: the sequence number of a frame on a link with retry. Numbers have 20 bits and wrap
// (UEC 1.0.3, section 5.1, by SAI's doc/LLR). A number is before each number that is ahead of it by
// less than half of all numbers.
#pragma once

#include <cstdint>

namespace sluice {

class RetrySequence {
  public:
    static constexpr unsigned bits = 20;
    static constexpr uint32_t count = 1U << bits;
    // Fewer than this many frames may be unacknowledged; with more, old and new numbers would be
    // ambiguous.
    static constexpr uint32_t most_waiting = count / 2;

    constexpr RetrySequence() = default;
    explicit constexpr RetrySequence(uint32_t number) : number_(number % count) {}

    [[nodiscard]] constexpr uint32_t number() const { return number_; }
    [[nodiscard]] constexpr RetrySequence after(uint32_t frames) const {
        return RetrySequence(number_ + frames);
    }
    [[nodiscard]] constexpr RetrySequence before() const { return RetrySequence(number_ - 1); }
    // Returns the number of steps from `from` forward to this number, 0 to count - 1.
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

// RetryOrder: the number of a transmission within its session, from 0, in 32 bits that wrap. Each
// resend is a transmission of its own. A wire keeps transmissions in order, so a gap in their
// numbers is a loss. An answer names a transmission, not a frame: the frame may have been resent
// since.
struct RetryOrder {
    [[nodiscard]] static constexpr bool is_before(uint32_t order, uint32_t other) {
        return static_cast<int32_t>(order - other) < 0;
    }
};

}  // namespace sluice
