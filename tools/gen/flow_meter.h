// FlowMeter: counts the frames of one flow by sequence numbers: in order, duplicate, or late.
//
// A frame is late (reordered) if a later frame of its flow arrived before it. Duplicates are
// recognised among the newest `window` numbers; an older duplicate counts as late, which would hide
// one loss.
// Bound: 160 octets a flow; a few instructions for all frames of a burst that are in order; a gap
// costs its length, at most the window.
// Not here: loss, which only a comparison with the offered frames shows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace sluice::gen {

class FlowMeter {
  public:
    static constexpr uint64_t window = 1024;

    // Counts frames with consecutive numbers, at most `window`, from `sequence` on.
    void arrived(uint64_t sequence, uint64_t frames = 1) {
        if (sequence == next_) [[likely]] {
            mark_seen(sequence, frames);
            next_ += frames;
            delivered_ += frames;
        } else {
            for (uint64_t n = 0; n < frames; ++n) arrived_out_of_order(sequence + n);
        }
    }

    [[nodiscard]] uint64_t delivered() const { return delivered_; }  // without duplicates
    [[nodiscard]] uint64_t reordered() const { return reordered_; }
    [[nodiscard]] uint64_t duplicates() const { return duplicates_; }
    [[nodiscard]] uint64_t next() const { return next_; }  // one above the highest seen

  private:
    void arrived_out_of_order(uint64_t sequence) {
        if (sequence >= next_) {
            const uint64_t first_unseen =
                std::max(next_, sequence - std::min(sequence, window - 1));
            for (uint64_t gap = first_unseen; gap < sequence; ++gap) {
                seen_[gap % window / 64] &= ~bit(gap);
            }
            next_ = sequence + 1;
        } else if (next_ - sequence <= window && was_seen(sequence)) {
            ++duplicates_;
            return;
        } else {
            ++reordered_;
        }
        if (next_ - sequence <= window) mark_seen(sequence, 1);
        ++delivered_;
    }

    static constexpr uint64_t bit(uint64_t sequence) { return uint64_t{1} << sequence % 64; }
    [[nodiscard]] bool was_seen(uint64_t sequence) const {
        return (seen_[sequence % window / 64] & bit(sequence)) != 0;
    }
    void mark_seen(uint64_t sequence, uint64_t frames) {
        while (frames > 0) {
            const uint64_t in_word = std::min(frames, 64 - sequence % 64);
            seen_[sequence % window / 64] |= ~uint64_t{0} >> (64 - in_word) << sequence % 64;
            sequence += in_word;
            frames -= in_word;
        }
    }

    uint64_t next_ = 0;
    uint64_t delivered_ = 0;
    uint64_t reordered_ = 0;
    uint64_t duplicates_ = 0;
    std::array<uint64_t, window / 64> seen_{};
};

}  // namespace sluice::gen
