// Capture: `sluice capture`: writes frames of a running switch into a pcapng file or pipe, until it
// has the requested number of frames or is interrupted. sluiced does not know the file: it sends
// frames and records (control/capture/stream.h).
// Bound: at most one piece of 64 KiB waits for the disk or the reader of the pipe; until it is
// written, sluiced drops and counts further frames.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::cli {

struct CaptureOptions {
    std::string socket;
    std::vector<std::string> ports;
    bool in = false;
    bool out = false;
    bool drops = false;  // if `in`, `out` and `drops` are all false: in and out
    std::vector<unsigned> priorities;
    std::string filter;
    unsigned snaplen = 65535;
    std::string file;    // "-": standard output
    uint64_t count = 0;  // 0: until interrupted
};

// Adds the command and its options.
CLI::App* add_capture(CLI::App& app, CaptureOptions& options);
// Returns the exit status.
int capture(const CaptureOptions& options);

}  // namespace sluice::cli
