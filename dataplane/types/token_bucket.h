// TokenBucket: credit that accrues with time, up to a maximum, and is spent. The caller chooses the
// unit; the rate is in units a nanosecond.
//
// Credit may become negative. Several users that share a rate have a bucket each, and subtract the
// credit that the others spent (`advance`). Bound: O(1). In any time t at most rate x t + `most` is
// spent, plus the part of the last cost that exceeds the credit. The computation has 128 bits, so
// nothing wraps.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "dataplane/types/units.h"

namespace sluice {

class TokenBucket {
  public:
    TokenBucket() = default;
    TokenBucket(int64_t rate_per_nano, int64_t most, int64_t credit)
        : rate_per_nano_(rate_per_nano), most_(most), credit_(credit) {
        assert(rate_per_nano >= 0 && most >= 0 && credit <= most);
    }

    // Adds the credit of the time since the last call, up to `most`, and subtracts `by_others`, the
    // credit that others spent since then, but not below -`most`.
    void advance(Nanos now, Wide by_others = 0) {
        assert(now >= last_ && by_others >= 0);
        const Wide accrued = static_cast<Wide>(rate_per_nano_) * (now - last_).count();
        last_ = now;
        const int64_t least = std::min(credit_, -most_);
        credit_ =
            static_cast<int64_t>(std::clamp<Wide>(credit_ + accrued - by_others, least, most_));
    }
    [[nodiscard]] int64_t credit() const { return credit_; }
    void spend(int64_t cost) {
        assert(cost >= 0);
        credit_ -= cost;
    }
    void give_back(int64_t cost) {
        assert(cost >= 0 && cost <= most_ - credit_ && "no more than was spent");
        credit_ += cost;
    }

    // Spends the cost if there is enough credit; returns whether it did.
    [[nodiscard]] bool affords(int64_t cost) {
        assert(cost >= 0);
        if (credit_ < cost) return false;
        credit_ -= cost;
        return true;
    }

    [[nodiscard]] int64_t rate_per_nano() const { return rate_per_nano_; }
    [[nodiscard]] int64_t most() const { return most_; }

  private:
    int64_t rate_per_nano_ = 0;
    int64_t most_ = 0;
    int64_t credit_ = 0;
    Nanos last_;
};

}  // namespace sluice
