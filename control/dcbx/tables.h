// Tables: the two tables of every dialect's ETS: a nibble for each priority, priority 0 in the
// highest bits, and eight percentages.
#pragma once

#include <cstdint>
#include <vector>

#include "control/dcbx/model.h"

namespace sluice::dcbx {

using Octets = std::vector<uint8_t>;

inline constexpr std::size_t nibble_octets = max_priorities / 2;

inline PerPriority read_nibbles(const uint8_t* octets) {
    PerPriority nibbles;
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        const uint8_t both = octets[priority / 2];
        nibbles[priority] = static_cast<uint8_t>(priority % 2 == 0 ? both >> 4 : both & 0xF);
    }
    return nibbles;
}
inline PerClass read_eight(const uint8_t* octets) {
    PerClass eight;
    for (std::size_t index = 0; index < traffic_classes; ++index) eight[index] = octets[index];
    return eight;
}

inline void append_nibbles(Octets& octets, const PerPriority& nibbles) {
    for (std::size_t priority = 0; priority < max_priorities; priority += 2) {
        octets.push_back(static_cast<uint8_t>(nibbles[priority] << 4 | nibbles[priority + 1]));
    }
}
inline void append_eight(Octets& octets, const PerClass& eight) {
    octets.insert(octets.end(), eight.begin(), eight.end());
}
inline void append_16(Octets& octets, uint16_t value) {
    octets.push_back(static_cast<uint8_t>(value >> 8));
    octets.push_back(static_cast<uint8_t>(value));
}

inline unsigned sum(const PerClass& percentages) {
    unsigned total = 0;
    for (const uint8_t percentage : percentages) total += percentage;
    return total;
}

// Encodes a count of 1 to 8 in three bits; 8 is encoded as 0.
constexpr uint8_t in_three_bits(uint8_t count) { return count & 0x7; }
constexpr uint8_t from_three_bits(uint8_t octet) {
    return (octet & 0x7) == 0 ? uint8_t{8} : static_cast<uint8_t>(octet & 0x7);
}

}  // namespace sluice::dcbx
