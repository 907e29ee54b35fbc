// Doctor: what of a machine stands in a switch's way or slows it down, before it starts and beside
// one that runs: a line each, with the command that mends it.
//
// Bound: looks; only `fix` writes, what is harmless and undone by writing what was there before,
// which it prints. Not done here: what only opening a device shows; `sluiced --dry-run` does that.
// With `cable` it tries one in place of that (cable.h).
#pragma once

#include <string>
#include <vector>

namespace sluice::cli {

struct DoctorOptions {
    std::string file;    // empty: what runs, or nothing
    std::string socket;  // empty: that of the file, or the default
    std::string root;    // of /proc, /sys and /run; empty: this machine's
    bool json = false;
    bool fix = false;
    std::vector<std::string> cable;  // two ports of what runs; none: look at the machine
};

// What to exit with: 1 if anything is bad.
int doctor(const DoctorOptions& options);

}  // namespace sluice::cli
