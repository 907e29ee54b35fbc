// CnpMerge: filters congestion notices (CNPs) before a host's rate control: RC Link's CNP merge,
// after notes on how an L2 switch treats PAXI frames (section 4.2).
//
// A notice about a queue pair that is not in the buffer is passed on, and the pair is stored with
// the time. A notice about a stored pair is suppressed until `interval` after the last notice about
// that pair that was passed on. The buffer has eight places. The notes do not define which pair is
// replaced in a full buffer: here it is the oldest pair. So with more than eight pairs, notices are
// passed on sooner.
// Bound: at most eight words are read for a notice. Time is an argument.
// Not done here: the receiver's limit on the notices that it sends (host.h), which is DCQCN's own.
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

    // Returns whether the notice about `pair` is passed on.
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
    std::size_t next_ = 0;  // place that is overwritten next
};

}  // namespace sluice::sim
