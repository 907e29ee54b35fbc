#include "control/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sluice::control {

void Placement::gather() {
    pools = {std::nullopt};
    std::ranges::fill(pool_of_port, 0);
    std::ranges::fill(pool_of_worker, 0);
}

Placement place(const config::Configuration& configuration,
                const std::vector<pmd::PortRequest>& ports, const std::vector<unsigned>& cpus,
                const pmd::NumaNodes& machine) {
    Placement result;
    for (const unsigned cpu : cpus) result.node_of_worker.push_back(machine.of_cpu(cpu));
    std::vector<unsigned> node_of_port;
    for (std::size_t port = 0; port < ports.size(); ++port) {
        const WorkerIndex worker = configuration.settings.ports[port].worker;
        const unsigned near_worker = result.node_of_worker[worker];
        const unsigned node = machine.of_device(ports[port].device).value_or(near_worker);
        node_of_port.push_back(node);
        if (node == near_worker) continue;
        result.notices.push_back(fmt::format(
            "{}: its device is on NUMA node {}, and worker {} on CPU {} of node {}, so "
            "each frame goes from one to the other; choose a worker on node {} with "
            "`ports[{}].worker`, or its CPU with `workers.cores[{}]`",
            ports[port].name, node, worker, cpus[worker], near_worker, node, port, worker));
    }
    const std::set<unsigned> in_use(node_of_port.begin(), node_of_port.end());
    result.pools.assign(in_use.begin(), in_use.end());
    const auto pool_on = [&](unsigned node) {
        const auto found = std::ranges::find(result.pools, std::optional(node));
        return found == result.pools.end() ? 0
                                           : static_cast<std::size_t>(found - result.pools.begin());
    };
    for (const unsigned node : node_of_port) result.pool_of_port.push_back(pool_on(node));
    for (const unsigned node : result.node_of_worker) {
        result.pool_of_worker.push_back(pool_on(node));
    }
    if (!machine.several()) result.gather();
    return result;
}

}  // namespace sluice::control
