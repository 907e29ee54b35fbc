// Hash: maps words to a word whose bits depend on all bits of the input, to distribute keys over
// buckets, chains and members. `seed` is random at start, so that an outsider cannot choose keys
// that collide. Texts are hashed too, for names and checksums: two texts of equal length that
// differ in a single octet always have different hashes.
// Bound: two multiplications; for text one more an octet. Not for cryptography.
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice {

// Mixes one more word into a sum. The high bits of the result are mixed better than the low ones.
constexpr uint64_t mixed(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * 0x9E37'79B9'7F4A'7C15;
    return sum ^ sum >> 32;
}
// Hashes one word, with all bits of the result well mixed.
constexpr uint64_t hash_of(uint64_t word, uint64_t seed) {
    return mixed(seed, word) * 0xD6E8'FEB8'6659'FD93;
}
constexpr uint64_t hash_of(std::string_view text, uint64_t seed) {
    uint64_t sum = seed;
    for (const char letter : text) sum = mixed(sum, static_cast<uint8_t>(letter));
    return hash_of(text.size(), sum);
}

}  // namespace sluice
