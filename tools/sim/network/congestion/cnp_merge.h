// CnpMerge: which notices of congestion (CNP) reach a host's rate control: RC Link's CNP merge, by
// notes on how an L2 switch treats PAXI frames (section 4.2).
//
// A notice about a queue pair that is not in the buffer is passed on and remembered, with its time.
// One about a pair that is there is held back until `interval` after the last that was passed on.
// The buffer has eight places; the notes leave open which pair gives way where all are taken: here
// the one that came into the buffer first. So with more pairs than places notices pass sooner.
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

    // Whether the notice about `pair` is passed on.
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
