// ReplayQueue: holds the numbers of the frames to resend, by traffic class: a class for each
// priority, and one for frames that no pause stops. Returns the oldest number of the classes that
// are not held.
// Bound: one bit for each number and class. Each call is O(1), except `next`, which reads at most
// one word for 64 numbers. Not here: the frames, and when they are resent (retry_sender.h).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <optional>
#include <vector>

#include "dataplane/retry/retry_sequence.h"
#include "dataplane/types/limits.h"

namespace sluice {

class ReplayQueue {
  public:
    using Classes = uint16_t;  // bit set of traffic classes
    static constexpr uint8_t never_paused = max_priorities;
    static constexpr uint8_t classes = max_priorities + 1;

    // `most`: the largest distance from the oldest number in the queue to the newest.
    explicit ReplayQueue(uint32_t most) : words_(std::bit_ceil(most / 64 + 1)) {
        for (OfClass& of_class : classes_) of_class.bits.resize(words_);
    }

    void clear() {
        for (OfClass& of_class : classes_) {
            if (of_class.count > 0) std::ranges::fill(of_class.bits, 0);
            of_class.count = 0;
        }
        count_ = 0;
    }
    [[nodiscard]] bool has(uint8_t traffic_class, RetrySequence number) const {
        return (classes_[traffic_class].bits[word(number)] & bit(number)) != 0;
    }
    void add(uint8_t to, RetrySequence number) {
        assert(to < classes);
        assert(!has(to, number));
        OfClass& of_class = classes_[to];
        if (of_class.count == 0 || number.is_before(of_class.first)) of_class.first = number;
        of_class.bits[word(number)] |= bit(number);
        ++of_class.count;
        ++count_;
    }
    void remove(uint8_t from, RetrySequence number) {
        assert(has(from, number));
        OfClass& of_class = classes_[from];
        assert(0 < of_class.count && of_class.count <= count_);
        of_class.bits[word(number)] &= ~bit(number);
        --of_class.count;
        --count_;
        if (number == of_class.first) of_class.first = number.after(1);
    }
    // Returns the oldest number of the classes that are not `held`.
    [[nodiscard]] std::optional<RetrySequence> next(Classes held) {
        std::optional<RetrySequence> oldest;
        for (uint8_t n = 0; n < classes; ++n) {
            if (classes_[n].count == 0 || (held & 1U << n) != 0) continue;
            const RetrySequence first = find(classes_[n]);
            if (!oldest || first.is_before(*oldest)) oldest = first;
        }
        return oldest;
    }
    [[nodiscard]] uint32_t count() const { return count_; }
    // Returns the classes that have numbers.
    [[nodiscard]] Classes waiting() const {
        Classes waiting = 0;
        for (uint8_t n = 0; n < classes; ++n) {
            if (classes_[n].count > 0) waiting = static_cast<Classes>(waiting | 1U << n);
        }
        return waiting;
    }

  private:
    struct OfClass {
        std::vector<uint64_t> bits;
        uint32_t count = 0;
        RetrySequence first;  // no number of the class is before this one
    };

    [[nodiscard]] uint32_t word(RetrySequence number) const {
        return number.number() / 64 & (words_ - 1);
    }
    static uint64_t bit(RetrySequence number) { return uint64_t{1} << number.number() % 64; }
    [[nodiscard]] RetrySequence find(OfClass& of_class) const {
        for (;;) {
            const unsigned skipped = of_class.first.number() % 64;
            const uint64_t left = of_class.bits[word(of_class.first)] >> skipped;
            if (left != 0) {
                of_class.first =
                    of_class.first.after(static_cast<uint32_t>(std::countr_zero(left)));
                return of_class.first;
            }
            of_class.first = of_class.first.after(64 - skipped);
        }
    }

    const uint32_t words_;  // a power of two
    std::array<OfClass, classes> classes_;
    uint32_t count_ = 0;
};

}  // namespace sluice
