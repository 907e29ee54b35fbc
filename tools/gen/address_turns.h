// AddressTurns: which address of both stations the next frame of a flow is from and to, where every
// station has many.
//
// Of n addresses, frame s is from number s mod n. That one talks to eight of the other station, or
// to all if those are fewer, in turn: frame s is to number (s + s div n mod 8) mod n. So each frame
// is of another pair than the one before, and after 8 n frames all 8 n pairs have had their turn:
// more than caches of flows like to hold, and not so many that nothing but a set-up of flows is
// measured.
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

    // `addresses` is the same every time.
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
