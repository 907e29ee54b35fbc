// ParallelLinks: reports bridges that are neighbours at two ports, where frames would loop
// undetected (config/loops.h): further links to a bridge, or a cable between two ports.
//
// A neighbour is identified by its LLDP: by its chassis ID and the capability bridge. A host with
// two links that does not bridge is not reported. A bridge without LLDP is not seen; the loop guard
// detects its loops.
// Bound: one report a port when the problem begins, and one when it ends; 64 ports with four
// neighbours each.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "control/lldp/agent.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

class ParallelLinks {
  public:
    struct Change {
        PortIndex port;
        bool begins;
        std::string text;
    };

    std::vector<Change> look(const config::Configuration& configuration,
                             std::span<const lldp::Agent> agents);

  private:
    std::array<std::string, max_ports> reported_{};  // last report by port index; empty: none
};

}  // namespace sluice::control
