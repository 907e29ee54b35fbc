// Capture: `sluice capture`: frames of a running switch into a pcapng file or pipe, until there are
// enough or somebody interrupts it. sluiced has no part in the file: it sends frames and what is
// known of them (control/capture/stream.h).
// Bound: what waits for the disk or the reader of the pipe is a piece of 64 KiB; what comes
// meanwhile sluiced loses for us, and says so.
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
    bool drops = false;  // none of the three: in and out
    std::vector<unsigned> priorities;
    std::string filter;
    unsigned snaplen = 65535;
    std::string file;    // "-": standard output
    uint64_t count = 0;  // 0: until interrupted
};

// Its words.
CLI::App* add_capture(CLI::App& app, CaptureOptions& options);
// What to exit with.
int capture(const CaptureOptions& options);

}  // namespace sluice::cli
