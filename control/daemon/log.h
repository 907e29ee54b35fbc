// Log: the log of a program, on standard error: with systemd's levels, or in colours on a terminal.
//
// It never waits for a reader (pmd_glue/standard_error.h). If a reader was too slow, a line reports
// the number of lost lines, before the next line or when the log is flushed.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::control {

struct LogOptions {
    std::string name;     // of the program
    std::string level;    // spdlog's word for the least that is logged
    std::string pattern;  // of a line, as spdlog has them
};

// spdlog's default logger, from now on.
void set_up_log(const LogOptions& options);

// So far.
uint64_t lost_log_lines();

}  // namespace sluice::control
