// Digest: a 64-bit hash of a sequence of parts, as 16 hexadecimal digits: FNV-1a (Fowler, Noll,
// Vo), with the length of each part before it.
//
// It detects mix-ups, changes and truncation, but not attacks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::cli {

class Digest {
  public:
    Digest& add(std::string_view part);
    [[nodiscard]] std::string text() const;

  private:
    void mix(unsigned char octet) { state_ = (state_ ^ octet) * 0x0000'0100'0000'01B3; }

    uint64_t state_ = 0xCBF2'9CE4'8422'2325;
};

}  // namespace sluice::cli
