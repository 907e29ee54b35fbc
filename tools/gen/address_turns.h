// AddressTurns: chooses the source and destination address of a flow's next frame, if stations have
// many addresses.
//
// With n addresses, frame s is sent from address s mod n. That address sends to eight addresses of
// the other station (or all, if fewer) in turn: frame s is sent to address (s + s div n mod 8) mod
// n. So consecutive frames have different pairs, and 8 n frames use all 8 n pairs: more than flow
// caches usually hold, but not so many that only the set-up of flows is measured.
// Bound: 8 octets a flow; no division a frame.
// Not here: what an address looks like (probe.h).
#pragma once

#include <algorithm>
#include <cstdint>

namespace sluice::gen {

class AddressTurns {
  public:
    static constexpr uint32_t most_peers = 8;

    struct Pair {
        uint32_t from;
        uint32_t to;
        friend constexpr bool operator==(const Pair&, const Pair&) = default;
    };

    // Returns the numbers of the next pair. `addresses` must be the same at each call.
    Pair next(uint32_t addresses) {
        const uint32_t to = from_ + round_;
        const Pair pair{from_, to < addresses ? to : to - addresses};
        if (++from_ == addresses) {
            from_ = 0;
            if (++round_ == std::min(most_peers, addresses)) round_ = 0;
        }
        return pair;
    }

  private:
    uint32_t from_ = 0;
    uint32_t round_ = 0;  // below `addresses`
};

}  // namespace sluice::gen
