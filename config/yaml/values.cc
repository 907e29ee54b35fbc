#include "config/yaml/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>

namespace sluice::config {

namespace {

__extension__ typedef __int128 Wide;  // the only name that -Wpedantic accepts

struct Unit {
    std::string_view name;
    int64_t multiplier;
};

constexpr std::array<Unit, 4> size_units = {{
    {"GiB", 1024 * 1024 * 1024},
    {"MiB", 1024 * 1024},
    {"KiB", 1024},
    {"B", 1},
}};
constexpr std::array<Unit, 4> rate_units = {{
    {"T", 1'000'000'000'000},
    {"G", 1'000'000'000},
    {"M", 1'000'000},
    {"K", 1'000},
}};
constexpr std::array<Unit, 4> time_units = {{
    {"s", 1'000'000'000},
    {"ms", 1'000'000},
    {"us", 1'000},
    {"ns", 1},
}};

constexpr std::array<Unit, 3> length_units = {{
    {"km", 1'000'000},
    {"m", 1'000},
    {"mm", 1},
}};

constexpr int64_t share_steps = 128;
constexpr int64_t probability_steps = 65536;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number digits / scale, where scale is a power of ten.
struct Decimal {
    Wide digits = 0;
    Wide scale = 1;
};

// Parses a decimal number without a sign, exponent or leading zero: some programs read 010 as 8.
tl::expected<Decimal, Wrong> parse_decimal(std::string_view text) {
    constexpr Wide most = Wide{1} << 90;  // the product with the largest unit fits 128 bits
    constexpr std::size_t most_places = 15;
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    std::string_view part;
    if (point != std::string_view::npos) {
        part = text.substr(point + 1);
        if (part.empty()) return tl::unexpected(Wrong::form);
    }
    const bool all_digits = std::all_of(whole.begin(), whole.end(), is_digit) &&
                            std::all_of(part.begin(), part.end(), is_digit);
    if (whole.empty() || !all_digits) return tl::unexpected(Wrong::form);
    if (whole.size() > 1 && whole.front() == '0') return tl::unexpected(Wrong::form);
    while (!part.empty() && part.back() == '0') part.remove_suffix(1);
    if (part.size() > most_places) return tl::unexpected(Wrong::fraction);

    Decimal decimal;
    for (const std::string_view digits : {whole, part}) {
        for (const char digit : digits) {
            decimal.digits = decimal.digits * 10 + (digit - '0');
            if (decimal.digits > most) return tl::unexpected(Wrong::overflow);
        }
    }
    for (std::size_t place = 0; place < part.size(); ++place) decimal.scale *= 10;
    return decimal;
}

Parsed to_int64(Wide number) {
    if (number > std::numeric_limits<int64_t>::max()) return tl::unexpected(Wrong::overflow);
    return static_cast<int64_t>(number);
}

Parsed scaled(std::string_view text, int64_t multiplier) {
    const auto decimal = parse_decimal(text);
    if (!decimal) return tl::unexpected(decimal.error());
    Wide number = 0;
    if (__builtin_mul_overflow(decimal->digits, Wide{multiplier}, &number)) {
        return tl::unexpected(Wrong::overflow);
    }
    if (number % decimal->scale != 0) return tl::unexpected(Wrong::fraction);
    return to_int64(number / decimal->scale);
}

// Removes the minus sign of a number, so that -5 is reported as negative and not as unreadable.
bool take_minus(std::string_view& text) {
    if (text.size() < 2 || text.front() != '-' || !is_digit(text[1])) return false;
    text.remove_prefix(1);
    return true;
}

Parsed signed_checked(std::string_view text, Parsed (*parse)(std::string_view)) {
    const bool minus = take_minus(text);
    const Parsed parsed = parse(text);
    if (minus && (parsed || parsed.error() != Wrong::form)) return tl::unexpected(Wrong::negative);
    return parsed;
}

// Parses a number with a unit. A number without a unit, if `bare` allows that, is in the
// dataplane's unit.
Parsed with_unit(std::string_view text, std::span<const Unit> units, bool bare) {
    const auto end =
        std::find_if_not(text.begin(), text.end(), [](char c) { return is_digit(c) || c == '.'; });
    const auto split = static_cast<std::size_t>(end - text.begin());
    const std::string_view number = text.substr(0, split);
    const std::string_view name = text.substr(split);
    if (name.empty()) {
        if (!bare && number != "0") return tl::unexpected(Wrong::form);
        return scaled(number, 1);
    }
    for (const Unit& unit : units) {
        if (unit.name == name) return scaled(number, unit.multiplier);
    }
    return tl::unexpected(Wrong::form);
}

std::string in_largest_unit(int64_t number, std::span<const Unit> units) {
    if (number != 0) {
        for (const Unit& unit : units) {
            if (number % unit.multiplier == 0) {
                return fmt::format("{}{}", number / unit.multiplier, unit.name);
            }
        }
    }
    return fmt::format("{}", number);
}

// Rounds to the nearest step. The denominator is above 0.
Parsed in_steps(Wide numerator, Wide denominator, int64_t steps) {
    if (numerator > (Wide{1} << 100)) return tl::unexpected(Wrong::overflow);
    const Wide nearest = (numerator * steps * 2 + denominator) / (denominator * 2);
    if (nearest == 0 && numerator != 0) return tl::unexpected(Wrong::vanishing);
    return to_int64(nearest);
}

// Parses a decimal number, or a fraction of two whole numbers.
Parsed parse_in_steps(std::string_view text, int64_t steps) {
    const std::size_t slash = text.find('/');
    const auto above = parse_decimal(text.substr(0, slash));
    if (!above) return tl::unexpected(above.error());
    if (slash == std::string_view::npos) return in_steps(above->digits, above->scale, steps);
    const auto below = parse_decimal(text.substr(slash + 1));
    if (!below) return tl::unexpected(below.error());
    if (above->scale != 1 || below->scale != 1 || below->digits == 0) {
        return tl::unexpected(Wrong::form);
    }
    return in_steps(above->digits, below->digits, steps);
}

std::string format_in_steps(int64_t number, int64_t steps) {
    if (number % steps == 0) return fmt::format("{}", number / steps);
    return fmt::format("{}/{}", number, steps);
}

std::optional<int> hexadecimal(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

}  // namespace

Parsed parse_whole(std::string_view text) {
    if (text.starts_with("0x")) return parse_mask(text);
    return signed_checked(text, [](std::string_view bare) -> Parsed {
        if (bare.find('.') != std::string_view::npos) return tl::unexpected(Wrong::form);
        return scaled(bare, 1);
    });
}

Parsed parse_size(std::string_view text) {
    return signed_checked(text,
                          [](std::string_view bare) { return with_unit(bare, size_units, true); });
}

Parsed parse_rate(std::string_view text) {
    return signed_checked(text,
                          [](std::string_view bare) { return with_unit(bare, rate_units, true); });
}

Parsed parse_time(std::string_view text) {
    return signed_checked(text,
                          [](std::string_view bare) { return with_unit(bare, time_units, false); });
}

Parsed parse_length(std::string_view text) {
    return signed_checked(
        text, [](std::string_view bare) { return with_unit(bare, length_units, false); });
}

Parsed parse_share(std::string_view text) {
    return signed_checked(text,
                          [](std::string_view bare) { return parse_in_steps(bare, share_steps); });
}

Parsed parse_probability(std::string_view text) {
    return signed_checked(
        text, [](std::string_view bare) { return parse_in_steps(bare, probability_steps); });
}

Parsed parse_mask(std::string_view text) {
    constexpr std::string_view prefix = "0x";
    if (!text.starts_with(prefix) || text.size() == prefix.size()) {
        return tl::unexpected(Wrong::form);
    }
    uint64_t bits = 0;
    for (const char c : text.substr(prefix.size())) {
        const auto digit = hexadecimal(c);
        if (!digit) return tl::unexpected(Wrong::form);
        if (bits >> 59 != 0) return tl::unexpected(Wrong::overflow);
        bits = bits << 4 | static_cast<uint64_t>(*digit);
    }
    return static_cast<int64_t>(bits);
}

Parsed parse_address(std::string_view text) {
    constexpr std::size_t characters = 17;
    if (text.size() != characters) return tl::unexpected(Wrong::form);
    const char separator = text[2];
    if (separator != ':' && separator != '-') return tl::unexpected(Wrong::form);
    int64_t bits = 0;
    for (std::size_t at = 0; at < characters; ++at) {
        if (at % 3 == 2) {
            if (text[at] != separator) return tl::unexpected(Wrong::form);
            continue;
        }
        const auto digit = hexadecimal(text[at]);
        if (!digit) return tl::unexpected(Wrong::form);
        bits = bits << 4 | *digit;
    }
    return bits;
}

std::string format_size(int64_t octets) { return in_largest_unit(octets, size_units); }
std::string format_rate(int64_t bits_per_second) {
    return in_largest_unit(bits_per_second, rate_units);
}
std::string format_time(int64_t nanoseconds) { return in_largest_unit(nanoseconds, time_units); }
std::string format_length(int64_t millimetres) {
    return in_largest_unit(millimetres, length_units);
}

std::string format_share(int64_t in_128) { return format_in_steps(in_128, share_steps); }
std::string format_probability(int64_t in_65536) {
    return format_in_steps(in_65536, probability_steps);
}

std::string format_address(MacAddress address) {
    std::string text;
    for (int shift = 40; shift >= 0; shift -= 8) {
        text += fmt::format("{}{:02x}", text.empty() ? "" : ":", address.bits >> shift & 0xFF);
    }
    return text;
}

}  // namespace sluice::config
