// Random: a generator of pseudorandom numbers. SplitMix64 (Steele, Lea and Flood, 2014): one
// multiply chain, one word of state; the same seed gives the same draws.
#pragma once

#include <cstdint>

namespace sluice {

class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}

    uint32_t next() {
        state_ += 0x9E37'79B9'7F4A'7C15;
        uint64_t mixed = (state_ ^ state_ >> 30) * 0xBF58'476D'1CE4'E5B9;
        mixed = (mixed ^ mixed >> 27) * 0x94D0'49BB'1331'11EB;
        return static_cast<uint32_t>((mixed ^ mixed >> 31) >> 32);
    }

  private:
    uint64_t state_;
};

}  // namespace sluice
