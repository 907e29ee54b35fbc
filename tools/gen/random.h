// Random: a small random number generator whose only input is a seed, so that runs are repeatable.
//
// SplitMix64 (Steele, Lea and Flood, 2014): 64 bits of state, a full period of 2^64, a few cycles a
// draw. Not for secrets.
#pragma once

#include <cstdint>

namespace sluice::gen {

class Random {
  public:
    explicit constexpr Random(uint64_t seed) : state_(seed) {}

    constexpr uint64_t next() {
        state_ += 0x9E3779B97F4A7C15;
        uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return mixed ^ (mixed >> 31);
    }

  private:
    uint64_t state_;
};

// Maps 16 random bits to 0 .. count-1 without a division. Probabilities differ from equal ones by
// less than count / 65536.
constexpr uint32_t scale_16(uint64_t random_bits, uint32_t count) {
    return static_cast<uint32_t>((random_bits & 0xFFFF) * count >> 16);
}

}  // namespace sluice::gen
