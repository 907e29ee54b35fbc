// FlowMeter: what arrived of one flow, told by sequence numbers: each frame once, again, or late.
//
// A frame is late (reordered) if a later one of its flow was there before it. Duplicates are known
// for the newest `window` numbers; one from farther back counts as late, which would hide one loss.
// Bound: 150 octets a flow, O(1) a frame in order; a gap costs its length, at most the window.
// Not done here: loss. Only who knows what was offered can tell that from what is still on its way.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>

namespace sluice::gen {

class FlowMeter {
  public:
    static constexpr uint64_t window = 1024;

    void arrived(uint64_t sequence) {
        if (sequence == next_) [[likely]] {
            seen_[next_++ % window] = true;
            ++delivered_;
        } else {
            arrived_out_of_order(sequence);
        }
    }

    [[nodiscard]] uint64_t delivered() const { return delivered_; }  // duplicates not counted
    [[nodiscard]] uint64_t reordered() const { return reordered_; }
    [[nodiscard]] uint64_t duplicates() const { return duplicates_; }
    [[nodiscard]] uint64_t next() const { return next_; }  // one above the highest seen

  private:
    void arrived_out_of_order(uint64_t sequence) {
        if (sequence > next_) {
            const uint64_t first_unseen =
                std::max(next_, sequence - std::min(sequence, window - 1));
            for (uint64_t gap = first_unseen; gap < sequence; ++gap) seen_[gap % window] = false;
            next_ = sequence + 1;
        } else if (next_ - sequence <= window && seen_[sequence % window]) {
            ++duplicates_;
            return;
        } else {
            ++reordered_;
        }
        if (next_ - sequence <= window) seen_[sequence % window] = true;
        ++delivered_;
    }

    uint64_t next_ = 0;
    uint64_t delivered_ = 0;
    uint64_t reordered_ = 0;
    uint64_t duplicates_ = 0;
    std::bitset<window> seen_;
};

}  // namespace sluice::gen
