#include "tools/sim/scenario/priorities.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace sluice::sim {

namespace {

constexpr PrioritySet upper = 0xF0;

// Returns how the port uses the upper priorities; empty if it uses none of them.
std::string beyond(const PortSettings& port) {
    const auto any = [](const auto& table) {
        return std::ranges::any_of(table, [](Priority priority) { return priority >= four; });
    };
    const ClassifySettings& by = port.classify;
    if (any(by.pcp_to_priority)) return "maps a PCP";
    if (any(by.dscp_to_priority)) return "maps a DSCP";
    if (by.default_priority >= four) return "has default_priority";
    if (any(by.tc_to_priority)) return "maps a traffic class";
    for (uint8_t n = 0; n < by.application_count; ++n) {
        if (by.applications[n].priority >= four) return "maps an application";
    }
    if ((port.pfc.lossless & upper) != 0) return "has lossless";
    const auto marks = [](const EcnSettings& ecn) { return ecn.high > Bytes(0); };
    return std::any_of(port.ecn.begin() + four, port.ecn.end(), marks) ? "has ecn" : "";
}

bool is_fault_of_port(const SwitchSpec& spec, Fields& file) {
    for (std::size_t port = 0; port < spec.settings.ports.size(); ++port) {
        const std::string what = beyond(spec.settings.ports[port]);
        if (what.empty()) continue;
        file.fault(
            file.has("switch") ? "switch" : "switches",
            fmt::format("{} of {} {} above 3, of 4 priorities", spec.ports[port], spec.name, what),
            "write 0 to 3, and no profile");
        return true;
    }
    return false;
}

}  // namespace

void use_four_priorities(NetworkScenario& scenario, Fields& file) {
    for (SwitchSpec& spec : scenario.switches) {
        if (is_fault_of_port(spec, file)) return;
        const auto ports = static_cast<int64_t>(spec.settings.ports.size());
        BufferSettings& buffer = spec.settings.buffer;
        constexpr auto absent = static_cast<int64_t>(max_priorities) - four;
        buffer.size += buffer.reserved * (ports * ports * absent);
    }
    for (const HostSpec& host : scenario.hosts) {
        for (const Hold& hold : host.holds) {
            if (hold.priority < four) continue;
            file.fault("peers",
                       fmt::format("pause priority {} at {}, of 4", hold.priority, host.name),
                       "write 0 to 3");
            return;
        }
    }
}

}  // namespace sluice::sim
