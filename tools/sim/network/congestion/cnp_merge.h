// CnpMerge: filters the notices of congestion (CNP) for a host's rate control: RC Link's CNP merge,
// by notes on how an L2 switch treats PAXI frames (section 4.2).
//
// A notice about a queue pair that is not in the buffer is passed on, and the pair is stored with
// the time. A notice about a stored pair is suppressed until `interval` after the last one that was
// passed on. The buffer has eight places. The notes do not say which pair is replaced when all are
// taken: here it is the oldest. So with more pairs than places notices pass sooner.
// Bound: a look at eight words a notice. Time is an argument.
// Not done here: pacing by the receiver (host.h), which is DCQCN's own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tools/sim/network/picos.h"

namespace sluice::sim {

class CnpMerge {
  public:
    static constexpr std::size_t places = 8;

    explicit CnpMerge(Picos interval) : interval_(interval) {}

    // True if the notice about `pair` is passed on.
    bool passes(uint32_t pair, Picos now) {
        for (std::size_t n = 0; n < used_; ++n) {
            if (passed_[n].pair != pair) continue;
            if (now - passed_[n].at < interval_) return false;
            passed_[n].at = now;
            return true;
        }
        passed_[next_] = {pair, now};
        next_ = (next_ + 1) % places;
        used_ = used_ < places ? used_ + 1 : places;
        return true;
    }

  private:
    struct Passed {
        uint32_t pair = 0;
        Picos at;
    };

    Picos interval_;
    std::array<Passed, places> passed_;
    std::size_t used_ = 0;
    std::size_t next_ = 0;  // to be taken
};

}  // namespace sluice::sim
