// AvailableBandwidth: computes the unused capacity of an output: its capacity less the octets sent
// in the last interval, with preamble, FCS and gap.
//
// An interval ends at the first call of `look` after its time. So it is longer if the port seldom
// sends, and the average is over that longer time. Before the first interval ends, the whole
// capacity is available.
// Bound: only integers, two divisions an interval, none in between. Time is an argument.
#pragma once

#include <algorithm>
#include <cstdint>

#include "dataplane/types/counters.h"
#include "dataplane/types/units.h"

namespace sluice {

class AvailableBandwidth {
  public:
    void configure(BitsPerSecond capacity, Nanos interval) {
        interval_ = interval;
        if (capacity == capacity_) return;
        capacity_ = capacity;
        set(capacity);
    }
    // `frames`, `octets`: sent by the port since the start.
    void look(uint64_t frames, uint64_t octets, Nanos now) {
        if (began_ != Nanos(0) && now - began_ < interval_) return;
        const uint64_t sent = octets + frames * static_cast<uint64_t>(wire_overhead.count());
        if (began_ != Nanos(0)) {
            const auto bits = static_cast<Wide>(sent - sent_then_) * 8;
            const auto used = bits * 1'000'000'000 / (now - began_).count();
            const auto most = static_cast<Wide>(capacity_.count());
            set(capacity_ - BitsPerSecond(static_cast<int64_t>(std::min(used, most))));
        }
        began_ = now;
        sent_then_ = sent;
    }
    [[nodiscard]] BitsPerSecond left() const { return left_; }
    // Returns the unused share of the capacity in 1/65536.
    [[nodiscard]] int64_t relative() const { return relative_; }
    // Returns the unused bandwidth; any thread may call it.
    [[nodiscard]] uint64_t shown() const { return shown_.value(); }

  private:
    void set(BitsPerSecond left) {
        left_ = left;
        relative_ = static_cast<int64_t>(static_cast<Wide>(left.count()) * 65536 /
                                         std::max<int64_t>(capacity_.count(), 1));
        shown_.set(static_cast<uint64_t>(left.count()));
    }

    BitsPerSecond capacity_;
    BitsPerSecond left_;
    int64_t relative_ = 0;
    Nanos interval_;
    Nanos began_;  // 0: `look` was not called yet
    uint64_t sent_then_ = 0;
    Counter shown_;
};

}  // namespace sluice
