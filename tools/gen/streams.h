// Streams: standard output and error of a program that has ports.
//
// Writing to standard error does not block, and a closed reader of either stream does not abort a
// run: ports are closed and huge pages freed as usual.
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string_view>
#include <system_error>

#include "pmd_glue/standard_error.h"

namespace sluice::gen {

// Prints on standard error.
inline void say(std::string_view text) { pmd::standard_error().write(text); }

// Runs a program. Returns the exit status: 1 if the output could not be written.
inline int run_program(std::string_view name, const std::function<int()>& program) {
    pmd::standard_error();  // disables SIGPIPE
    const auto failed = [&](std::string_view why) {
        say(fmt::format("{}: standard output could not be written: {}\n", name, why));
        return 1;
    };
    try {
        const int status = program();
        const bool printed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
        return printed ? status : failed(std::strerror(errno));
    } catch (const std::system_error& error) {
        return failed(error.what());
    }
}

}  // namespace sluice::gen
