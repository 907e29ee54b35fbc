#include "tools/sluice/calc/words.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "config/yaml/fault.h"
#include "config/yaml/scalar.h"

namespace sluice::cli {

namespace {

using config::Kind;

std::string_view type_name(Kind kind) {
    switch (kind) {
        case Kind::rate:
            return "RATE";
        case Kind::size:
            return "SIZE";
        case Kind::time:
            return "TIME";
        case Kind::length:
            return "LENGTH";
        case Kind::choice:
            return "WORD";
        default:
            return "N";
    }
}

// Parses a decimal number. Returns none for other texts, such as "inf" and "nan".
std::optional<double> read_decimal(std::string_view text) {
    if (!std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) {
        return std::nullopt;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error != std::errc()) return std::nullopt;
    return value;
}

std::optional<double> read_ratio(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto above = read_decimal(text.substr(0, slash));
    if (slash == std::string_view::npos || !above) return above;
    const auto below = read_decimal(text.substr(slash + 1));
    if (!below || *below == 0) return std::nullopt;
    return *above / *below;
}

config::Key key_of(std::string_view name, Kind kind, std::string_view help,
                   std::string_view fallback, int64_t lowest, int64_t highest) {
    return {.name = name,
            .kind = kind,
            .help = help,
            .fallback = fallback,
            .lowest = lowest,
            .highest = highest};
}

}  // namespace

CLI::Option* add_quantity(CLI::App& command, const config::Key& key, int64_t& into) {
    const std::string name = fmt::format("--{}", key.name);
    const auto read = [name, key, &into](const std::string& text) {
        const auto scalar = config::read_scalar(text, key);
        if (!scalar) {
            throw CLI::ValidationError(
                name, fmt::format("{}; {}", scalar.error().what, scalar.error().remedy));
        }
        into = scalar->number;
    };
    CLI::Option* option =
        command.add_option_function<std::string>(name, read, std::string(key.help))
            ->type_name(std::string(type_name(key.kind)))
            ->required(key.required);
    if (!key.fallback.empty()) read(std::string(key.fallback));
    return option->default_str(std::string(key.fallback.empty() ? key.worked_out : key.fallback));
}

CLI::Option* add_speed(CLI::App& command, std::string_view help, std::string_view fallback,
                       int64_t& into) {
    config::Key key = key_of("speed", Kind::rate, help, fallback, slowest_link, fastest_link);
    key.required = fallback.empty();
    return add_quantity(command, key, into);
}

CLI::Option* add_count(CLI::App& command, std::string_view name, std::string_view help,
                       std::string_view fallback, int64_t highest, int64_t& into) {
    return add_quantity(command, key_of(name, Kind::whole, help, fallback, 1, highest), into);
}

CLI::Option* add_time(CLI::App& command, std::string_view name, std::string_view help,
                      std::string_view fallback, int64_t& into) {
    return add_quantity(command, key_of(name, Kind::time, help, fallback, 0, one_second), into);
}

CLI::Option* add_length(CLI::App& command, std::string_view name, std::string_view help,
                        std::string_view fallback, int64_t& into) {
    return add_quantity(command, key_of(name, Kind::length, help, fallback, 0, round_the_earth),
                        into);
}

CLI::Option* add_rate(CLI::App& command, std::string_view name, std::string_view help,
                      std::string_view fallback, int64_t lowest, int64_t highest, int64_t& into) {
    return add_quantity(command, key_of(name, Kind::rate, help, fallback, lowest, highest), into);
}

CLI::Option* add_octets(CLI::App& command, std::string_view name, std::string_view help,
                        std::string_view fallback, int64_t lowest, int64_t& into) {
    return add_quantity(command, key_of(name, Kind::size, help, fallback, lowest, longest_frame),
                        into);
}

CLI::Option* add_number(CLI::App& command, const Number& number, double& into) {
    const std::string name = fmt::format("--{}", number.name);
    const auto read = [name, number, &into](const std::string& text) {
        const auto value = read_ratio(text);
        if (!value || *value < number.lowest || *value > number.highest) {
            throw CLI::ValidationError(
                name,
                fmt::format("{} {}; write a number from {} to {}, as 0.001, 1/1000 or 1e-3",
                            config::in_quotes(text), value ? "is out of range" : "is not a number",
                            number.lowest, number.highest));
        }
        into = *value;
    };
    read(std::string(number.fallback));
    return command.add_option_function<std::string>(name, read, std::string(number.help))
        ->type_name("N")
        ->default_str(std::string(number.fallback));
}

}  // namespace sluice::cli
