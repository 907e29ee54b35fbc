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

// RetryRound: how often the sender had begun to send again what it kept when a frame went, in 12
// bits, that go round. A NACK says in which round its gap was seen, so the sender knows whether it
// is about what it sent last: one NACK a round is heeded, and one that comes late is not.
struct RetryRound {
    static constexpr unsigned bits = 12;
    static constexpr uint32_t count = 1U << bits;

    [[nodiscard]] static constexpr bool is_before(uint32_t round, uint32_t other) {
        const uint32_t forward = (other - round) % count;
        return forward != 0 && forward < count / 2;
    }
};

}  // namespace sluice
