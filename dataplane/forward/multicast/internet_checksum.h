// InternetChecksum: the sum of 16-bit words in ones' complement (RFC 1071), over consecutive parts.
// Octets that include their checksum sum up to 0xFFFF.
// Bound: one addition for two octets. Only the last part can have an odd length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/types/address.h"

namespace sluice {

class InternetChecksum {
  public:
    void add(std::span<const uint8_t> octets) {
        for (std::size_t at = 0; at + 1 < octets.size(); at += 2) sum_ += read_16(&octets[at]);
        if (octets.size() % 2 != 0) sum_ += static_cast<uint64_t>(octets.back()) << 8;
    }
    void add(uint64_t word) { sum_ += word; }
    [[nodiscard]] bool is_right() const { return folded() == 0xFFFF; }
    // Returns the checksum of octets whose checksum field is 0.
    [[nodiscard]] uint16_t missing() const { return static_cast<uint16_t>(~folded()); }

  private:
    [[nodiscard]] uint64_t folded() const {
        uint64_t folded = sum_;
        while (folded >> 16 != 0) folded = (folded & 0xFFFF) + (folded >> 16);
        return folded;
    }

    uint64_t sum_ = 0;
};

}  // namespace sluice
