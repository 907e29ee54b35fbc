// RangedOption: an option of `sluice sim` that takes a number of a range.
#pragma once

#include <CLI/CLI.hpp>
#include <type_traits>

namespace sluice::cli {

// `unit` is what the help calls the number; the help also shows its default, the value of `into`.
template <class Number>
CLI::Option* add_ranged(CLI::App& command, const char* name, Number& into, const char* help,
                        std::type_identity_t<Number> lowest, std::type_identity_t<Number> highest,
                        const char* unit = "N") {
    return command.add_option(name, into, help)
        ->type_name(unit)
        ->check(CLI::Range(lowest, highest))
        ->capture_default_str();
}

}  // namespace sluice::cli
