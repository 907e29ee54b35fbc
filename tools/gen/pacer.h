// Pacer: decides when the next frame of one sender is due, by a rate in frames a second, in bits a
// second on the wire (with preamble, FCS and gap), or without a limit.
//
// A late sender catches up, so that the rate is kept over any time, but by at most `catch_up`:
// after a pause the missed frames are not sent in one burst.
// Differs from egress/shaper.h, which must not send early and so catches up by only 20 us; a
// generator that shares its CPU may be late by whole time slices and must still keep its rate.
// Bound: exact to a picosecond a frame.
#pragma once

#include <algorithm>
#include <cstdint>

#include "dataplane/types/units.h"

namespace sluice::gen {

struct Rate {
    enum class Unit : uint8_t { unlimited, frames_a_second, bits_a_second };
    Unit unit = Unit::unlimited;
    int64_t value = 0;  // above 0 unless unlimited

    static constexpr Rate frames(int64_t a_second) { return {Unit::frames_a_second, a_second}; }
    static constexpr Rate bits(int64_t a_second) { return {Unit::bits_a_second, a_second}; }
};

class Pacer {
  public:
    static constexpr int64_t catch_up_picos = 10'000'000'000;  // 10 ms: a time slice or two
    static constexpr int64_t preamble_and_gap =
        20;  // octets on the wire other than the frame and FCS

    // `burst`: the number of frames that are sent back to back; the next burst is due when the rate
    // allows all frames of the burst before.
    Pacer(Rate rate, Nanos start, uint16_t burst = 1) : rate_(rate), burst_(burst), last_(start) {
        if (rate.unit == Rate::Unit::frames_a_second) {
            picos_a_frame_ = 1'000'000'000'000 / rate.value;
        }
    }

    // Advances the time; `due` then returns whether a frame is due.
    void advance(Nanos now) {
        const int64_t passed = std::min((now - last_).count(), catch_up_picos / 1000);
        credit_ = std::min(credit_ + passed * 1000, catch_up_picos);
        last_ = now;
    }
    [[nodiscard]] bool due() const {
        return rate_.unit == Rate::Unit::unlimited || credit_ >= 0 || left_ > 0;
    }
    // Counts a sent frame of this many octets, with FCS.
    void charge(uint16_t octets) {
        if (left_ == 0) left_ = burst_;
        --left_;
        switch (rate_.unit) {
            case Rate::Unit::unlimited:
                return;
            case Rate::Unit::frames_a_second:
                credit_ -= picos_a_frame_;
                return;
            case Rate::Unit::bits_a_second:
                credit_ -= (octets + preamble_and_gap) * 8'000'000'000'000 / rate_.value;
        }
    }

  private:
    Rate rate_;
    uint16_t burst_;     // 1 or more
    uint16_t left_ = 0;  // frames left of the present burst
    int64_t picos_a_frame_ = 0;
    int64_t credit_ = 0;
    Nanos last_;
};

}  // namespace sluice::gen
