// Support: makes an archive for support: versions, the configuration without secrets, the output of
// `show`, doctor's findings, and the end of the log if systemd keeps it.
//
// Bound: a minute and some for each part; 16 MiB of the log, 64 MiB of a noun. The parts of a
// switch that does not answer are left out. The archive contains names and addresses, which the
// command points out.
#pragma once

#include <string>

namespace sluice::cli {

struct SupportOptions {
    std::string socket;
    std::string file;         // to make, whole name; empty: one of this host and time, here
    std::string config_file;  // collected besides the running one; empty: none
};
int support(const SupportOptions& options);

}  // namespace sluice::cli
