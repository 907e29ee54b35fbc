// Support: an archive for somebody who is to help: versions, the configuration without secrets,
// what `show` says, what doctor finds, and the end of the log where systemd keeps it.
//
// Bound: a minute and some for each part; 16 MiB of the log, 64 MiB of a noun. A switch that does
// not answer is left out once that is known. Names and addresses are in it, and this says so.
#pragma once

#include <string>

namespace sluice::cli {

struct SupportOptions {
    std::string socket;
    std::string file;         // to make, whole name; empty: one of this host and time, here
    std::string config_file;  // read beside what runs; empty: none
};
int support(const SupportOptions& options);

}  // namespace sluice::cli
