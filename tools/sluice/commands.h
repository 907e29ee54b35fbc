// Commands: the commands of `sluice`. Each prints its result and returns the exit status: 0 done, 1
// failed, 2 wrong arguments or input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::cli {

int check(const std::string& file, bool json);

struct ShowOptions {
    std::string socket;
    std::string noun;
    std::vector<std::string> ports = {};  // ports whose rows are shown; empty: all
    std::optional<unsigned> vlan = {};
    std::optional<unsigned> priority = {};
    std::string address = {};
    bool json = false;  // with `watch`, one value a line
    bool all = false;
    bool wide = false;                      // shows all columns on any terminal
    std::vector<std::string> columns = {};  // columns that are shown, in this order
    bool watch = false;                     // repeats the output
    double every = 1;                       // seconds
    uint64_t times = 0;                     // 0: until interrupted
};
int show(const ShowOptions& options);

struct TopOptions {
    std::string socket;
    double every = 1;
    uint64_t times = 0;
};
// Prints one table after the other; top/ draws on a terminal.
int print_rates(const TopOptions& options);

// Options of `sluice watch`, which prints events when they occur.
struct WatchOptions {
    std::string socket;
    bool json = false;              // one object a line
    std::optional<uint64_t> since;  // first event number; none: only new events
    uint64_t times = 0;             // 0: until interrupted
};
int watch(const WatchOptions& options);

// Applies a file. `confirm_within`: seconds; 0: without confirmation.
int apply_file(const std::string& socket, const std::string& file, unsigned confirm_within,
               bool json);
int confirm(const std::string& socket, bool json);

// Prints the changes that this file would make to a running sluiced.
int diff(const std::string& socket, const std::string& file, bool json);

int clear_counters(const std::string& socket);
int clear_watermarks(const std::string& socket);

struct FlushOptions {
    std::string socket;
    uint16_t vlan = 0;  // 0: any
    std::string port;   // empty: any
};
int flush_fdb(const FlushOptions& options);

}  // namespace sluice::cli
