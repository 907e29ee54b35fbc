// Ready: whether a running switch does what it is there for: every port that is to be up has a
// link, and every frame is accounted for. For who waits for it: readiness probes, scripts and
// rollouts.
//
// Not looked at: who is at the other end, and whether frames pass (`show lldp`, `doctor --cable`).
#pragma once

#include <string>
#include <vector>

#include "tools/common/table.h"

namespace sluice::cli {

// What stands in the way, a line each and none if nothing does, as `show ports` and `show ledger`
// have it. `of`: ports that must be there and up; none: all whose `admin_status` is up.
std::vector<std::string> faults_of(const Json& ports, const Json& ledger,
                                   const std::vector<std::string>& of);

struct ReadyOptions {
    std::string socket;
    std::vector<std::string> ports;
    double wait = 0;  // seconds, until it is
    bool json = false;
};
// 0: it is, 1: it is not, and what stands in the way was printed; sluiced may not be there yet.
int ready(const ReadyOptions& options);

}  // namespace sluice::cli
