// ReplayQueue: the numbers of frames that are to go again, by lane: a priority each, and one for
// what no pause holds. Within a lane the oldest goes first, and a lane that is paused holds no other.
// Bound: a bit a lane for each number that may wait; O(1) a call, but for `next`, which looks at a
// 64th of the numbers at the most. Not done here: frames, and when (retry_sender.h).
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
    using Lanes = uint16_t;  // a set of them
    static constexpr uint8_t unpaused = max_priorities;
    static constexpr uint8_t lanes = max_priorities + 1;

    // `most`: numbers that may wait, from the oldest that does on.
    explicit ReplayQueue(uint32_t most) : words_(std::bit_ceil(most / 64 + 1)) {
        for (Lane& lane : lanes_) lane.bits.resize(words_);
    }

    void clear() {
        for (Lane& lane : lanes_) {
            if (lane.count > 0) std::ranges::fill(lane.bits, 0);
            lane.count = 0;
        }
        count_ = 0;
    }
    [[nodiscard]] bool has(uint8_t lane, RetrySequence number) const {
        return (lanes_[lane].bits[word(number)] & bit(number)) != 0;
    }
    void add(uint8_t to, RetrySequence number) {
        assert(!has(to, number));
        Lane& lane = lanes_[to];
        if (lane.count == 0 || number.is_before(lane.first)) lane.first = number;
        lane.bits[word(number)] |= bit(number);
        ++lane.count;
        ++count_;
    }
    void remove(uint8_t from, RetrySequence number) {
        assert(has(from, number));
        Lane& lane = lanes_[from];
        lane.bits[word(number)] &= ~bit(number);
        --lane.count;
        --count_;
        if (number == lane.first) lane.first = number.after(1);
    }
    // The oldest of all lanes but those that are `held`.
    [[nodiscard]] std::optional<RetrySequence> next(Lanes held) {
        std::optional<RetrySequence> oldest;
        for (uint8_t n = 0; n < lanes; ++n) {
            if (lanes_[n].count == 0 || (held & 1U << n) != 0) continue;
            const RetrySequence first = find(lanes_[n]);
            if (!oldest || first.is_before(*oldest)) oldest = first;
        }
        return oldest;
    }
    [[nodiscard]] uint32_t count() const { return count_; }
    // Lanes in which one waits.
    [[nodiscard]] Lanes waiting() const {
        Lanes waiting = 0;
        for (uint8_t n = 0; n < lanes; ++n) {
            if (lanes_[n].count > 0) waiting = static_cast<Lanes>(waiting | 1U << n);
        }
        return waiting;
    }

  private:
    struct Lane {
        std::vector<uint64_t> bits;
        uint32_t count = 0;
        RetrySequence first;  // none that waits is before it
    };

    [[nodiscard]] uint32_t word(RetrySequence number) const {
        return number.number() / 64 & (words_ - 1);
    }
    static uint64_t bit(RetrySequence number) { return uint64_t{1} << number.number() % 64; }
    [[nodiscard]] RetrySequence find(Lane& lane) const {
        for (;;) {
            const unsigned skipped = lane.first.number() % 64;
            const uint64_t left = lane.bits[word(lane.first)] >> skipped;
            if (left != 0) {
                lane.first = lane.first.after(static_cast<uint32_t>(std::countr_zero(left)));
                return lane.first;
            }
            lane.first = lane.first.after(64 - skipped);
        }
    }

    const uint32_t words_;  // a power of two
    std::array<Lane, lanes> lanes_;
    uint32_t count_ = 0;
};

}  // namespace sluice
