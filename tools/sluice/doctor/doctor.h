// Doctor: reports conditions of a machine that prevent a switch from running or slow it down,
// before a start or while a switch runs: a line for each, with the command that fixes it.
//
// Bound: doctor only reads; only `fix` writes harmless settings, and prints the old values, by
// which they can be undone. Not here: checks that need an open device; `sluiced --dry-run` does
// those. With `cable` it runs a cable test instead (cable.h).
#pragma once

#include <string>
#include <vector>

namespace sluice::cli {

struct DoctorOptions {
    std::string file;    // empty: the running configuration, if any
    std::string socket;  // empty: the file's, or the default
    std::string root;    // root folder of /proc, /sys and /run; empty: this machine's
    bool json = false;
    bool fix = false;
    std::vector<std::string> cable;  // two ports of the running switch; empty: check the machine
};

// Returns the exit status: 1 if anything is bad.
int doctor(const DoctorOptions& options);

}  // namespace sluice::cli
