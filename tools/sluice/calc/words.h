// CalcWords: parses the arguments of calculations: quantities as in a configuration, and plain
// numbers, which may be finer than those of a configuration.
//
// Text that cannot be parsed, or is out of range, is a CLI::ValidationError with a remedy.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "config/schema.h"
#include "tools/sluice/calc/calc.h"

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
// Adds a count from 1 to `highest`.
CLI::Option* add_count(CLI::App& command, std::string_view name, std::string_view help,
                       std::string_view fallback, int64_t highest, int64_t& into);
// Adds a time of up to a second.
CLI::Option* add_time(CLI::App& command, std::string_view name, std::string_view help,
                      std::string_view fallback, int64_t& into);
// Adds a length of up to once round the earth.
CLI::Option* add_length(CLI::App& command, std::string_view name, std::string_view help,
                        std::string_view fallback, int64_t& into);
// Adds a rate from `lowest` to `highest` bits per second.
CLI::Option* add_rate(CLI::App& command, std::string_view name, std::string_view help,
                      std::string_view fallback, int64_t lowest, int64_t highest, int64_t& into);
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

// Returns a calculation with options of its own: `add` adds them to the command, `answer` computes
// with their values.
template <class Words>
Compute calculation(CLI::App& command, void (*add)(CLI::App&, Words&),
                    Answer (*answer)(const Words&)) {
    const auto words = std::make_shared<Words>();
    add(command, *words);
    return [=] { return answer(*words); };
}

}  // namespace sluice::cli
