// OnesSum: the Internet checksum (RFC 1071) over consecutive parts, for long parts: it adds words
// of 32 bits in the processor's byte order, which the compiler vectorises. Only the last part can
// have an odd length.
// Bound: one addition for four octets. A sum of up to 4 Gi words does not overflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sluice::offload {

class OnesSum {
  public:
    void add(std::span<const uint8_t> octets) {
        const uint8_t* data = octets.data();
        const std::size_t words = octets.size() / 4;
        uint64_t sum = 0;
        for (std::size_t word = 0; word < words; ++word) {
            uint32_t value = 0;
            std::memcpy(&value, data + 4 * word, sizeof value);
            sum += value;
        }
        uint32_t rest = 0;  // the last octets, padded with zeros
        if (octets.size() % 4 != 0) std::memcpy(&rest, data + 4 * words, octets.size() % 4);
        sum_ += sum + rest;
    }
    // Adds a number in network byte order.
    void add_number(uint16_t number) { sum_ += __builtin_bswap16(number); }
    // Returns the sum, in network byte order.
    [[nodiscard]] uint16_t folded() const {
        uint64_t sum = sum_;
        while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
        return __builtin_bswap16(static_cast<uint16_t>(sum));
    }
    // Whether the sum of octets that include their checksum is right.
    [[nodiscard]] bool is_right() const { return folded() == 0xFFFF; }
    [[nodiscard]] uint16_t checksum() const { return static_cast<uint16_t>(~folded()); }
    // Returns the checksum for transports in which 0 means that there is none (RFC 768).
    [[nodiscard]] uint16_t transport_checksum() const {
        return checksum() == 0 ? uint16_t{0xFFFF} : checksum();
    }

  private:
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    uint64_t sum_ = 0;
};

}  // namespace sluice::offload
