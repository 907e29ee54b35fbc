// Pace: the schedule of a source's frames, which does not depend on the network.
//
//   steady     at equal intervals
//   poisson    independent of each other
//   bernoulli  each frame time of the wire has a frame with probability rate / wire, independent
//              of the others
//   bursts     back to back at `rate` for a time, then silent; times are drawn around `on`, `off`
//   pulses     like bursts, with exactly these times, so that many senders burst at one moment
// A frame that cannot be sent when it is due waits, and all later frames with it: none is skipped.
// Exact: integers only; the exponential draws compare and add (von Neumann, 1951), so that they do
// not depend on a machine's logarithm.
// Bound: a draw for each frame time that bernoulli leaves idle, so a rate far below the wire's has
// few frames and many draws; a scenario allows at least a 1000th of the wire's rate
// (flows_reader.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "dataplane/types/random.h"
#include "dataplane/types/units.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

enum class Pace : uint8_t { steady, poisson, bursts, pulses, bernoulli };

// Returns whether the next of several receivers is drawn; otherwise receivers take turns.
constexpr bool chooses_at_random(Pace pace) {
    return pace == Pace::poisson || pace == Pace::bursts || pace == Pace::bernoulli;
}

constexpr Picos time_at(BitsPerSecond rate, Bytes octets) {
    return Picos(static_cast<int64_t>(Wide{octets.count()} * 8'000'000'000'000 / rate.count()));
}

// Computes `time_at` for one rate, and stores the last result, since the lengths of a sequence of
// frames seldom change.
class FrameTime {
  public:
    explicit FrameTime(BitsPerSecond rate) : rate_(rate) {}

    [[nodiscard]] Picos operator()(Bytes octets) {
        if (octets != octets_) {
            octets_ = octets;
            time_ = time_at(rate_, octets);
        }
        return time_;
    }

  private:
    BitsPerSecond rate_;
    Bytes octets_{0};
    Picos time_{0};
};

struct PaceSettings {
    Pace pace = Pace::steady;
    // Rate on the wire, with overhead; for bursts and pulses the rate within a burst.
    BitsPerSecond rate{0};
    Picos start;
    Picos stop{INT64_MAX};
    Picos on;
    Picos off;
    BitsPerSecond wire{0};  // for bernoulli: the speed of the wire, which gives the frame times
    Bytes slot{0};          // for bernoulli: octets on the wire of the first frame time
};

// Draws from the exponential distribution of mean 1, in 1/2^32.
inline uint64_t draw_exponential(Random& random) {
    for (uint64_t whole = 0;; ++whole) {
        const uint32_t first = random.next();
        bool odd = true;
        for (uint32_t last = first;; odd = !odd) {
            const uint32_t next = random.next();
            if (next >= last) break;
            last = next;
        }
        if (odd) return whole << 32 | first;
    }
}

class Schedule {
  public:
    static constexpr Picos never{INT64_MAX};

    Schedule(const PaceSettings& settings, uint64_t seed)
        : stop_(settings.stop),
          random_(seed),
          gap_(settings.rate),
          settings_(settings),
          slot_(settings.wire) {
        due_ = settings.start;
        if (settings.pace == Pace::poisson) due_ += scattered(gap_(Bytes(1024)));
        if (settings.pace == Pace::bernoulli) due_ += idle_slots(settings.slot);
        ends_ = due_ + (settings.pace == Pace::bursts ? scattered(settings.on) : settings.on);
    }

    // Returns when the next frame is due; never if there is none.
    [[nodiscard]] Picos due() const { return due_ < stop_ ? due_ : never; }
    // Schedules the next frame, after one that took `on_wire` octets of the wire.
    void advance(Bytes on_wire) {
        if (settings_.pace == Pace::bernoulli) {
            due_ += slot_(on_wire);
            due_ += idle_slots(on_wire);
            return;
        }
        const Picos distance = gap_(on_wire);
        due_ += settings_.pace == Pace::poisson ? scattered(distance) : distance;
        if (settings_.pace == Pace::poisson || settings_.pace == Pace::steady) return;
        if (due_ < ends_) return;
        const bool drawn = settings_.pace == Pace::bursts;
        due_ = ends_ + (drawn ? scattered(settings_.off) : settings_.off);
        ends_ = due_ + (drawn ? scattered(settings_.on) : settings_.on);
    }
    Random& random() { return random_; }
    // Returns the octets on the wire that were due by `now` and have not been sent; for bursts an
    // average.
    [[nodiscard]] Bytes late(Picos now) const {
        const Picos until = std::min(now, settings_.stop);
        if (until <= due_) return {};
        Wide octets = Wide{(until - due_).count()} * settings_.rate.count() / 8'000'000'000'000;
        const bool bursts = settings_.pace == Pace::bursts || settings_.pace == Pace::pulses;
        const Picos cycle = settings_.on + settings_.off;
        if (bursts && cycle > Picos(0)) octets = octets * settings_.on.count() / cycle.count();
        return Bytes(static_cast<int64_t>(octets));
    }

  private:
    // Returns the time until the next frame time that has a frame, or until the end.
    Picos idle_slots(Bytes on_wire) {
        const Picos slot = slot_(on_wire);
        const auto share =
            static_cast<uint64_t>((Wide{settings_.rate.count()} << 32) / settings_.wire.count());
        Picos idle;
        while (random_.next() >= share && due_ + idle < settings_.stop) idle += slot;
        return idle;
    }
    Picos scattered(Picos mean) {
        return Picos(static_cast<int64_t>(Wide{mean.count()} * draw_exponential(random_) >> 32));
    }

    // Members that each frame needs are in one cache line with the first settings.
    Picos due_;
    Picos stop_;
    Random random_;
    FrameTime gap_;
    PaceSettings settings_;
    FrameTime slot_;
    Picos ends_;  // end of the burst
};

}  // namespace sluice::sim
