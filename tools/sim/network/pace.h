// Pace: when a source has its next frame: its schedule, whatever the network does to it.
//
//   steady   at even distances
//   poisson  independent of each other
//   bursts   back to back at `rate` for a time, then silent; times are drawn around `on` and `off`
//   pulses   the same with exactly these times, so that many senders burst at one moment
// A frame that cannot leave when it is due waits for that, and all behind it: none is forgotten.
// Exact: integers only; the exponential draws compare and add (von Neumann, 1951), so that no
// machine's logarithm matters.
#pragma once

#include <cstdint>

#include "dataplane/draws.h"
#include "dataplane/units.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

enum class Pace : uint8_t { steady, poisson, bursts, pulses };

struct PaceSettings {
    Pace pace = Pace::steady;
    BitsPerSecond rate{0};  // of the wire, overhead counted; in a burst
    Picos start;
    Picos stop{INT64_MAX};
    Picos on;
    Picos off;
};

// Drawn from the exponential distribution of mean 1, in 1/2^32.
inline uint64_t draw_exponential(Draws& draws) {
    for (uint64_t whole = 0;; ++whole) {
        const uint32_t first = draws.next();
        bool odd = true;
        for (uint32_t last = first;; odd = !odd) {
            const uint32_t next = draws.next();
            if (next >= last) break;
            last = next;
        }
        if (odd) return whole << 32 | first;
    }
}

class Schedule {
  public:
    static constexpr Picos never{INT64_MAX};

    Schedule(const PaceSettings& settings, uint64_t seed) : settings_(settings), draws_(seed) {
        due_ = settings.start;
        if (settings.pace == Pace::poisson) due_ += scattered(gap(Bytes(1024)));
        ends_ = due_ + (settings.pace == Pace::bursts ? scattered(settings.on) : settings.on);
    }

    // When the next frame is; never: there is none.
    [[nodiscard]] Picos due() const { return due_ < settings_.stop ? due_ : never; }
    // It has left, and took so much of the wire.
    void advance(Bytes on_wire) {
        const Picos distance = gap(on_wire);
        due_ += settings_.pace == Pace::poisson ? scattered(distance) : distance;
        if (settings_.pace == Pace::poisson || settings_.pace == Pace::steady) return;
        if (due_ < ends_) return;
        const bool drawn = settings_.pace == Pace::bursts;
        due_ = ends_ + (drawn ? scattered(settings_.off) : settings_.off);
        ends_ = due_ + (drawn ? scattered(settings_.on) : settings_.on);
    }
    Draws& draws() { return draws_; }

  private:
    [[nodiscard]] Picos gap(Bytes on_wire) const {
        return Picos(static_cast<int64_t>(Wide{on_wire.count()} * 8'000'000'000'000 /
                                          settings_.rate.count()));
    }
    Picos scattered(Picos mean) {
        return Picos(static_cast<int64_t>(Wide{mean.count()} * draw_exponential(draws_) >> 32));
    }

    PaceSettings settings_;
    Draws draws_;
    Picos due_;
    Picos ends_;  // of the burst
};

}  // namespace sluice::sim
