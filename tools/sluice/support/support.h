// Support: makes an archive for support: versions, the configuration without secrets, the output of
// `show`, doctor's findings, and the end of the log if systemd keeps it.
//
// Bound: a little more than a minute for each part; 16 MiB of the log, 64 MiB of the output about a
// noun. The parts of a switch that does not answer are left out. The archive contains names and
// addresses; the command warns about that.
#pragma once

#include <string>

namespace sluice::cli {

struct SupportOptions {
    std::string socket;
    std::string file;  // archive to make; empty: a name of this host and time, in this folder
    std::string config_file;  // further configuration to collect; empty: only the running one
};
int support(const SupportOptions& options);

}  // namespace sluice::cli
