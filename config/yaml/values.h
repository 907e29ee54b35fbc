// Values: converts the text of one scalar to a number in the dataplane's unit, and back.
//
//   whole        35, 0x8906                            a number
//   size         1500, 1500B, 64KiB, 1.5MiB, 1GiB      octets
//   rate         10G, 400M, 1.5G, 64K, 1.6T            bits a second
//   time         5us, 200ms, 300s, 100ns, 0            nanoseconds
//   length       5m, 1.5km, 20mm, 0                    millimetres
//   share        0.5, 1/8, 8                           in 1/128, to the nearest
//   mask         0xFF, 0x00ffffffffff                  bits
//   probability  0.2, 1/50, 1                          in 1/65536, to the nearest
//
// Exact: decimal arithmetic in integers, without floating point or locale, so that 0.1 of a unit is
// never rounded down. Units are case-sensitive, because KB, kb and KiB are three different units.
// Not done here: ranges, which belong to a key (schema.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "dataplane/types/address.h"

namespace sluice::config {

enum class Wrong : uint8_t {
    form,       // not a number of this kind
    negative,   // a number with a minus sign
    fraction,   // a fraction of a unit, such as 0.3 octets
    vanishing,  // above 0, but rounded to 0
    overflow,   // more than 63 bits
};

using Parsed = tl::expected<int64_t, Wrong>;

Parsed parse_whole(std::string_view text);
Parsed parse_size(std::string_view text);
Parsed parse_rate(std::string_view text);
Parsed parse_time(std::string_view text);
Parsed parse_length(std::string_view text);
Parsed parse_share(std::string_view text);
Parsed parse_probability(std::string_view text);
Parsed parse_mask(std::string_view text);
// Parses six octets in hexadecimal with colons or hyphens; the number is MacAddress::bits.
Parsed parse_address(std::string_view text);

// Return the shortest text that parses to the same number.
std::string format_size(int64_t octets);
std::string format_rate(int64_t bits_per_second);
std::string format_time(int64_t nanoseconds);
std::string format_length(int64_t millimetres);
std::string format_share(int64_t in_128);
std::string format_probability(int64_t in_65536);
std::string format_address(MacAddress address);

}  // namespace sluice::config
