// Log: the log of a program, on standard error: with systemd's levels, or in colours on a terminal.
//
// It never waits for a reader (pmd_glue/standard_error.h). If a reader was too slow, a line reports
// the number of lost lines, before the next line or when the log is flushed.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::control {

struct LogOptions {
    std::string name;     // the program's name
    std::string level;    // lowest level to log, as spdlog names it
    std::string pattern;  // spdlog's pattern of a line
};

// Sets up spdlog's default logger.
void set_up_log(const LogOptions& options);

// Returns how many lines were lost so far.
uint64_t lost_log_lines();

}  // namespace sluice::control
