// Hash: words into words whose bits depend on all that went in. For spreading over buckets, chains
// and members; `seed` is drawn at start and keeps an outsider from choosing what collides.
// Bound: two multiplications. Not for cryptography.
#pragma once

#include <cstdint>

namespace sluice {

// Takes one more word into a sum; its high bits are the better ones.
constexpr uint64_t mixed(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * 0x9E37'79B9'7F4A'7C15;
    return sum ^ sum >> 32;
}
// Of one word alone, where all bits are to be good.
constexpr uint64_t hash_of(uint64_t word, uint64_t seed) {
    return mixed(seed, word) * 0xD6E8'FEB8'6659'FD93;
}

}  // namespace sluice
