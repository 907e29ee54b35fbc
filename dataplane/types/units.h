// Units: octets, nanoseconds, bits a second and pause quanta as types that do not mix.
// A value is a signed 64-bit count, so differences may be negative and nothing wraps in practice.
// Conversions between units are the named functions below; there are no implicit ones.
#pragma once

#include <cassert>
#include <compare>
#include <cstdint>
#include <limits>

namespace sluice {

template <class Tag>
class Quantity {
  public:
    constexpr Quantity() = default;
    explicit constexpr Quantity(int64_t count) : count_(count) {}
    [[nodiscard]] constexpr int64_t count() const { return count_; }

    friend constexpr auto operator<=>(Quantity, Quantity) = default;
    friend constexpr Quantity operator+(Quantity a, Quantity b) {
        return Quantity(a.count_ + b.count_);
    }
    friend constexpr Quantity operator-(Quantity a, Quantity b) {
        return Quantity(a.count_ - b.count_);
    }
    friend constexpr Quantity operator*(Quantity a, int64_t times) {
        return Quantity(a.count_ * times);
    }
    friend constexpr Quantity operator/(Quantity a, int64_t parts) {
        return Quantity(a.count_ / parts);
    }
    constexpr Quantity& operator+=(Quantity other) { return *this = *this + other; }
    constexpr Quantity& operator-=(Quantity other) { return *this = *this - other; }

  private:
    int64_t count_ = 0;
};

using Bytes = Quantity<struct BytesTag>;                  // octets
using Nanos = Quantity<struct NanosTag>;                  // nanoseconds, a span or a point in time
using BitsPerSecond = Quantity<struct BitsPerSecondTag>;  // 0: not limited, where that is allowed
using Quanta = Quantity<struct QuantaTag>;                // 512 bit times (802.3 annex 31B)

inline constexpr Bytes no_limit{std::numeric_limits<int64_t>::max()};
// The length of a header without payload and FCS: the shortest frame that the switch accepts.
inline constexpr Bytes bare_frame{14};
// The octets on the wire in addition to those of a frame: FCS 4, preamble 8, gap 12 (802.3).
inline constexpr Bytes wire_overhead{24};

namespace literals {
constexpr Bytes operator""_B(unsigned long long n) { return Bytes(static_cast<int64_t>(n)); }
constexpr Bytes operator""_KiB(unsigned long long n) { return 1024_B * static_cast<int64_t>(n); }
constexpr Bytes operator""_MiB(unsigned long long n) { return 1024_KiB * static_cast<int64_t>(n); }
constexpr Nanos operator""_ns(unsigned long long n) { return Nanos(static_cast<int64_t>(n)); }
constexpr Nanos operator""_us(unsigned long long n) { return 1000_ns * static_cast<int64_t>(n); }
constexpr Nanos operator""_ms(unsigned long long n) { return 1000_us * static_cast<int64_t>(n); }
constexpr Nanos operator""_s(unsigned long long n) { return 1000_ms * static_cast<int64_t>(n); }
constexpr BitsPerSecond operator""_Gbps(unsigned long long n) {
    return BitsPerSecond(static_cast<int64_t>(n) * 1'000'000'000);
}
constexpr Quanta operator""_quanta(unsigned long long n) { return Quanta(static_cast<int64_t>(n)); }
}  // namespace literals

__extension__ using Wide = __int128;

// Returns the time of `bits` at `rate`, rounded up; `rate` must be above 0. The computation has 128
// bits, so an hour at 1 Tb/s does not wrap.
constexpr Nanos bit_time(int64_t bits, BitsPerSecond rate) {
    assert(rate.count() > 0);
    const auto scaled = static_cast<Wide>(bits) * 1'000'000'000;
    return Nanos(static_cast<int64_t>((scaled + rate.count() - 1) / rate.count()));
}
constexpr Nanos transmission_time(Bytes size, BitsPerSecond rate) {
    return bit_time(size.count() * 8, rate);
}
constexpr Nanos pause_time(Quanta quanta, BitsPerSecond rate) {
    return bit_time(quanta.count() * 512, rate);
}

}  // namespace sluice
