// ParallelLinks: reports bridges that are neighbours at two ports, where frames would go round and
// nothing would notice (config/loops.h): the other links of a bridge, or a cable between two ports.
//
// A neighbour is known by what it says by LLDP: its chassis, and that it bridges. A host with two
// links and no bridge is none, and what speaks no LLDP is not seen: the loop guard is for that.
// Bound: a report a port as it begins, and one as it ends; 64 ports with four neighbours each.
#pragma once

#include <array>
#include <cstdint>
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
    std::array<std::string, max_ports> reported_{};  // by port, what was; empty: nothing
};

}  // namespace sluice::control
