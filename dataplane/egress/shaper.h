// Shaper: limits one port to a rate in bits a second on the wire, by a token bucket of time.
//
// A frame costs its octets, the FCS and the 20 octets of preamble and gap, so a port shaped to 10G
// sends as much as a 10G link. A frame may be sent while the bucket is not in debt; its cost is
// then subtracted, so the debt is at most one frame.
// Bound: in any time t at most rate x t + burst + one frame are sent. The rate is at most 0.02 %
// too low.
// Rates from 1 kb/s to 1.6 Tb/s. A rate of 0 does not limit and costs one comparison.
#pragma once

#include <cstdint>

#include "dataplane/types/token_bucket.h"
#include "dataplane/types/units.h"

namespace sluice {

class Shaper {
  public:
    static constexpr int64_t burst_femtos = 20'000'000'000;  // 20 us: how late a poll may be

    void configure(BitsPerSecond rate) {
        constexpr int64_t femtos_a_second = 1'000'000'000'000'000;
        // The cost is rounded up, so that the rate is not exceeded.
        femtos_an_octet_ =
            rate.count() == 0 ? 0 : (8 * femtos_a_second + rate.count() - 1) / rate.count();
    }

    // Adds the tokens of the time up to `now`. `open` then returns whether a frame may be sent.
    void advance(Nanos now) {
        if (limits()) bucket_.advance(now);
    }
    [[nodiscard]] bool open() const { return !limits() || bucket_.credit() >= 0; }
    [[nodiscard]] bool limits() const { return femtos_an_octet_ != 0; }
    void charge(Bytes length) { bucket_.spend(cost(length)); }
    void refund(Bytes length) { bucket_.give_back(cost(length)); }

  private:
    [[nodiscard]] int64_t cost(Bytes length) const {
        return (length + wire_overhead).count() * femtos_an_octet_;
    }

    static constexpr int64_t femtos_a_nano = 1'000'000;

    int64_t femtos_an_octet_ = 0;
    TokenBucket bucket_{femtos_a_nano, burst_femtos, burst_femtos};
};

}  // namespace sluice
