// Real range: checks that a number on a command line is from `lowest` to `highest`. CLI::Range
// accepts `nan`, which compares neither below nor above any number.
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>

namespace sluice::config {

inline CLI::Validator real_range(double lowest, double highest, const std::string& name = {}) {
    const CLI::Range range(lowest, highest, name);
    const auto check = [range](std::string& text) {
        double number = 0;
        const bool is_none = CLI::detail::lexical_cast(text, number) && std::isnan(number);
        return is_none ? "Value " + text + " is no number" : range(text);
    };
    return {check, name.empty() ? range.get_description() : name};
}

}  // namespace sluice::config
