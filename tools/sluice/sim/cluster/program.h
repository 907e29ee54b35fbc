// Program: another program, run to its end without a shell, and what it said.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace sluice::cli {

inline constexpr std::chrono::minutes longest_answer{2};

// Its standard output; else why there is none: it could not be started, took longer than that and
// was killed, was ended by a signal, or what it complained of.
// Ctrl-C on the terminal does not reach it: it is a process group of its own. What its environment
// has that begins with `unset` it does not see; empty: it sees all.
// Bound: 16 MiB of what it says.
tl::expected<std::string, std::string> output_of(const std::vector<std::string>& words,
                                                 std::chrono::milliseconds longest = longest_answer,
                                                 std::string_view unset = {});

// A program, by its path, that goes on beside the thread that started it, and is killed when that
// ends, whatever ends it.
// Returns its process id, or why there is none. It exits with 127 where that path cannot be run.
tl::expected<int, std::string> start(const std::vector<std::string>& words);

}  // namespace sluice::cli
