// Program: runs another program without a shell, and returns its output.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace sluice::cli {

inline constexpr std::chrono::minutes longest_answer{2};

// Returns the program's standard output; or why there is none: it could not be started, took longer
// than the limit and was killed, was ended by a signal, or failed with a message. Ctrl-C on the
// terminal does not reach the program, which has its own process group. Environment variables that
// begin with `unset` are hidden from the program; if `unset` is empty, none are.
// Bound: 16 MiB of output.
tl::expected<std::string, std::string> output_of(const std::vector<std::string>& words,
                                                 std::chrono::milliseconds longest = longest_answer,
                                                 std::string_view unset = {});

// Starts a program by its path. The program runs concurrently and is killed when the calling thread
// ends, for whatever reason. Returns the process id, or why there is none. The process exits with
// 127 if the path cannot be executed.
tl::expected<int, std::string> start(const std::vector<std::string>& words);

}  // namespace sluice::cli
