#include "control/runtime/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace sluice::control {

void Placement::gather() {
    pools = {std::nullopt};
    std::ranges::fill(pool_of_port, 0);
    std::ranges::fill(pool_of_worker, 0);
    notices.clear();
}

Placement place(const config::Configuration& configuration,
                const std::vector<pmd::PortRequest>& ports, const std::vector<unsigned>& cpus,
                const pmd::NumaNodes& machine) {
    Placement result;
    for (const unsigned cpu : cpus) result.node_of_worker.push_back(machine.of_cpu(cpu));
    std::vector<unsigned> node_of_port;
    const auto look_at = [&](std::size_t port, WorkerIndex worker, std::string_view key) {
        const unsigned node = node_of_port[port];
        const unsigned near_worker = result.node_of_worker[worker];
        if (node == near_worker) return;
        result.notices.push_back(fmt::format(
            "{}: its frame buffers are on NUMA node {}, but worker {} on CPU {} of node {}, so "
            "each frame crosses between nodes; choose a worker on node {} with `ports[{}].{}`, or "
            "its CPU with `workers.cores[{}]`",
            ports[port].name, node, worker, cpus[worker], near_worker, node, port, key, worker));
    };
    const Settings& settings = configuration.settings;
    for (std::size_t port = 0; port < ports.size(); ++port) {
        const WorkerIndex worker = settings.ports[port].worker;
        node_of_port.push_back(
            machine.of_device(ports[port].device).value_or(result.node_of_worker[worker]));
        look_at(port, worker, "worker");
    }
    for (const LaneSettings& lane : settings.lanes) look_at(lane.port, lane.worker, "lanes");
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
