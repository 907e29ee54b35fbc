// Placement: the NUMA nodes that hold a switch's memory.
//
// The frame buffers of a port are on the node of its device, where the NIC writes them, or, if the
// device has no node, on the node of the CPU that polls it. A worker takes buffers for its own
// frames from the pool of its node, or, if no port is on that node, from the first pool. Every node
// in use has a pool of the whole size, as all waiting frames may have been received on one node.
// There is a single pool, wherever DPDK allocates it, on a machine with one node, without huge
// pages, or if the user chose DPDK's memory.
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
    std::vector<std::optional<unsigned>> pools;  // the node of each pool; empty: any node
    std::vector<std::size_t> pool_of_port;
    std::vector<std::size_t> pool_of_worker;
    std::vector<unsigned> node_of_worker;
    std::vector<std::string> notices;  // one line for each port whose worker is on another node

    // Uses a single pool for all ports, whatever their nodes.
    void gather();
};

// `cpus`: the workers' CPUs.
Placement place(const config::Configuration& configuration,
                const std::vector<pmd::PortRequest>& ports, const std::vector<unsigned>& cpus,
                const pmd::NumaNodes& machine);

}  // namespace sluice::control
