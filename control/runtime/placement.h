// Placement: the NUMA nodes that a switch's memory is on.
//
// The frame buffers of a port are on the node of its device, where the NIC writes them, or, if the
// device is on none in particular, on that of the CPU that polls it. What a worker makes itself it
// takes from its own node, or, where no port is on that, from the first pool.
// Every node in use has a pool of the whole size: all that waits may have come by one of them.
// A machine of one node has one pool, wherever DPDK puts it; so has one without huge pages, or one
// whose user chose DPDK's memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "pmd_glue/numa.h"
#include "pmd_glue/port.h"

namespace sluice::control {

struct Placement {
    std::vector<std::optional<unsigned>> pools;  // the node of each; none: wherever
    std::vector<std::size_t> pool_of_port;
    std::vector<std::size_t> pool_of_worker;
    std::vector<unsigned> node_of_worker;
    std::vector<std::string> notices;  // of ports far from a worker of theirs, a line each

    // One pool for all ports, whatever their nodes.
    void gather();
};

// `cpus` are the workers'.
Placement place(const config::Configuration& configuration,
                const std::vector<pmd::PortRequest>& ports, const std::vector<unsigned>& cpus,
                const pmd::NumaNodes& machine);

}  // namespace sluice::control
