#include "tools/common/quantities.h"

#include <fmt/format.h>

#include <span>
#include <string_view>

namespace sluice::cli {

namespace {

// Returns `value` in the largest of `units` in which it is 1 or more; each unit is `step` times the
// one before.
std::string in_units(double value, double step, std::span<const std::string_view> units) {
    std::size_t unit = 0;
    for (; unit + 1 < units.size() && value >= step; ++unit) value /= step;
    const std::string number = fmt::format("{:.4g}", value);
    // In the largest unit a value may have five digits or more, which `{:.4g}` prints with
    // an exponent.
    const bool plain = number.find('e') == std::string::npos;
    return fmt::format("{}{}", plain ? number : fmt::format("{:.0f}", value), units[unit]);
}

}  // namespace

std::string show_count(uint64_t count) {
    std::string digits = fmt::format("{}", count);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    }
    return digits;
}

std::string show_rate(double bits_per_second) {
    static constexpr std::string_view units[] = {" b/s", " kb/s", " Mb/s", " Gb/s", " Tb/s"};
    return in_units(bits_per_second, 1000, units);
}

std::string show_size(double octets) {
    static constexpr std::string_view units[] = {" B", " KiB", " MiB", " GiB", " TiB"};
    return in_units(octets, 1024, units);
}

std::string show_nanos(double nanoseconds) {
    static constexpr std::string_view units[] = {" ns", " us", " ms", " s"};
    return in_units(nanoseconds, 1000, units);
}

std::string show_share(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string show_per_second(double occurrences) {
    static constexpr std::string_view units[] = {"/s", " k/s", " M/s", " G/s"};
    return in_units(occurrences, 1000, units);
}

}  // namespace sluice::cli
