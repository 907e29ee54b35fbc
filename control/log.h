// Log: what a program of ours logs, on standard error: for systemd, or for a terminal, in colours.
//
// Whoever reads it is never waited for (pmd_glue/standard_error.h). Once he reads again he is told,
// with the next line or when the log is flushed, how many lines he missed.
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
