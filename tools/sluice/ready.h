// Ready: reports whether a running switch is ready: every port that should be up has a link, and
// every frame is accounted for. For readiness probes, scripts and rollouts.
//
// Not here: checks of the peers, and of the links by frames (`show lldp`, `doctor --cable`).
#pragma once

#include <string>
#include <vector>

#include "tools/common/table.h"

namespace sluice::cli {

// Returns why the switch is not ready, a line for each reason, from `show ports` and `show ledger`;
// empty if it is ready. `of`: ports that must exist and be up; empty: all whose `admin_status` is
// up.
std::vector<std::string> faults_of(const Json& ports, const Json& ledger,
                                   const std::vector<std::string>& of);

struct ReadyOptions {
    std::string socket;
    std::vector<std::string> ports;
    double wait = 0;  // longest wait until the switch is ready, in seconds
    bool json = false;
};
// Returns 0 if ready; 1 if not, with the reasons printed. sluiced may not be running yet.
int ready(const ReadyOptions& options);

}  // namespace sluice::cli
