// TransmitTimer: when the next LLDP frame of a port is due: the transmit timer state machine of
// IEEE 802.1AB-2016 9.2.9, whose names of variables are in comments.
//
// A frame is due every `interval`, at once after a local change, and, after the start and for a new
// neighbour, `fast_init` times `fast_interval` apart. Each frame costs one credit; there are at
// most `credit_max`, and one is added each second, so that frequent changes cannot flood the link.
// Bound: O(1); in any t seconds at most credit_max + t + 1 frames.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "dataplane/types/units.h"

namespace sluice::lldp {

struct TransmitTimes {
    Nanos interval{30'000'000'000};      // msgTxInterval
    Nanos fast_interval{1'000'000'000};  // msgFastTx
    uint8_t fast_init = 4;               // txFastInit
    uint8_t credit_max = 5;              // txCreditMax
};

class TransmitTimer {
  public:
    explicit TransmitTimer(const TransmitTimes& times) : times_(times) {}

    void start(Nanos now) {
        fast_ = 0;
        credit_ = times_.credit_max;
        tick_ = now + tick;
        fast_start(now);
    }
    // Sets times that take effect with the next frame.
    void configure(const TransmitTimes& times) { times_ = times; }
    void local_change(Nanos now) { signal(now); }
    void fast_start(Nanos now) {
        if (fast_ == 0) fast_ = times_.fast_init;
        expire(now);
    }

    // Whether to send a frame now. If so, this spends a credit.
    [[nodiscard]] bool take(Nanos now) {
        add_credit(now);
        if (now >= next_) expire(now);
        if (!wanted_ || credit_ == 0) return false;
        wanted_ = false;
        --credit_;
        return true;
    }
    // Returns when to call `take` next.
    [[nodiscard]] Nanos deadline() const {
        if (!wanted_) return next_;
        return credit_ > 0 ? Nanos(0) : tick_;
    }

  private:
    static constexpr Nanos tick{1'000'000'000};

    void expire(Nanos now) {
        if (fast_ > 0) --fast_;
        signal(now);
    }
    void signal(Nanos now) {
        wanted_ = true;
        next_ = now + (fast_ > 0 ? times_.fast_interval : times_.interval);
    }
    void add_credit(Nanos now) {
        if (now < tick_) return;
        const int64_t ticks = (now - tick_).count() / tick.count() + 1;
        credit_ = static_cast<uint8_t>(std::min<int64_t>(times_.credit_max, credit_ + ticks));
        tick_ += tick * ticks;
        assert(now < tick_);
    }

    TransmitTimes times_;
    bool wanted_ = false;  // txNow
    uint8_t fast_ = 0;     // txFast
    uint8_t credit_ = 0;   // txCredit
    Nanos next_;           // when txTTR becomes 0
    Nanos tick_;           // time of the next txTick
};

}  // namespace sluice::lldp
