// Chance: draws from Random (types/random.h): an event with a probability, a number below a limit,
// or a member of a set. It compares only whole numbers and does not use the standard library's
// distributions, since those differ between libraries: the same seed gives the same numbers on
// every machine.
// Bound: a probability is exact to 2^-32; the numbers of below(n) differ in probability by less
// than n x 2^-32.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "dataplane/types/limits.h"
#include "dataplane/types/random.h"

namespace sluice::sim {

class Chance {
  public:
    explicit Chance(double probability)
        : threshold_(static_cast<uint64_t>(std::llround(probability * 4294967296.0))) {}
    [[nodiscard]] bool happens(Random& random) const { return random.next() < threshold_; }

  private:
    uint64_t threshold_;
};

inline uint32_t below(Random& random, uint32_t count) {
    return static_cast<uint32_t>(uint64_t{random.next()} * count >> 32);
}

// Returns a random member of `set`; all members have the same probability. `set` must not be empty.
inline PortIndex any_of(Random& random, PortSet set) {
    for (uint32_t skip = below(random, static_cast<uint32_t>(std::popcount(set))); skip > 0;
         --skip) {
        set &= set - 1;
    }
    return static_cast<PortIndex>(std::countr_zero(set));
}

}  // namespace sluice::sim
