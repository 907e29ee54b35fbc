// CalcWords: parses the arguments of calculations: quantities as in a configuration, and plain
// numbers, which may be finer than those of a configuration.
//
// Text that cannot be parsed, or is out of range, is a CLI::ValidationError with a remedy.
#pragma once

#include <cstdint>
#include <string_view>

#include "config/schema.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sluice::cli {

inline constexpr int64_t longest_frame = 65536;
inline constexpr int64_t slowest_link = 1'000'000;
inline constexpr int64_t fastest_link = 1'600'000'000'000;
inline constexpr int64_t fastest_clock = 100'000'000'000;   // in hertz
inline constexpr int64_t round_the_earth = 40'000'000'000;  // in millimetres
inline constexpr int64_t one_second = 1'000'000'000;        // in nanoseconds

// Adds an option with the syntax of a configuration key, read into `into`.
CLI::Option* add_quantity(CLI::App& command, const config::Key& key, int64_t& into);

// Adds the speed of a link, which most calculations need.
CLI::Option* add_speed(CLI::App& command, std::string_view help, std::string_view fallback,
                       int64_t& into);
// Adds a number of octets.
CLI::Option* add_octets(CLI::App& command, std::string_view name, std::string_view help,
                        std::string_view fallback, int64_t lowest, int64_t& into);

struct Number {
    std::string_view name;
    std::string_view help;
    std::string_view fallback;
    double lowest = 0;
    double highest = 1;
};
// Adds a number such as 0.9, 9/10 or 1e-6. A fraction is rounded to a double.
CLI::Option* add_number(CLI::App& command, const Number& number, double& into);

}  // namespace sluice::cli
