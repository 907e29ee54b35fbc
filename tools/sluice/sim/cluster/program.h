// Program: another program, run to its end without a shell, and what it said.
#pragma once

#include <chrono>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace sluice::cli {

// Its standard output; else why there is none: it could not be started, took longer than that and
// was killed, was ended by a signal, or what it complained of.
// Bound: 16 MiB of what it says.
tl::expected<std::string, std::string> output_of(
    const std::vector<std::string>& words,
    std::chrono::milliseconds longest = std::chrono::minutes(2));

// A program that goes on beside this one.
// Returns its process id, or why it could not be started.
tl::expected<int, std::string> start(const std::vector<std::string>& words);

}  // namespace sluice::cli
