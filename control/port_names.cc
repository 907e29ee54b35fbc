#include "control/port_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "config/yaml/fault.h"

namespace sluice::control {

namespace {

std::string no_such_port(const std::string& name, const config::Configuration& running) {
    std::vector<std::string_view> names;
    for (const config::PortConfig& port : running.ports) {
        if (!port.vacant) names.push_back(port.name);
    }
    return fmt::format("port: no port is called {}; there are {}", config::in_quotes(name),
                       fmt::join(names, ", "));
}

}  // namespace

tl::expected<PortSet, std::string> ports_called(const std::string& name,
                                                const config::Configuration& running) {
    const auto& ports = running.ports;
    PortSet called = 0;
    for (PortIndex port = 0; port < ports.size(); ++port) {
        if (ports[port].vacant) continue;
        if (ports[port].name == name || ports[port].aggregation == name) called |= only(port);
    }
    if (called != 0 && !name.empty()) return called;
    return tl::unexpected(no_such_port(name, running));
}

tl::expected<PortIndex, std::string> port_called(const std::string& name,
                                                 const config::Configuration& running) {
    const auto& ports = running.ports;
    const auto found = std::ranges::find(ports, name, &config::PortConfig::name);
    if (found != ports.end() && !found->vacant) {
        return static_cast<PortIndex>(found - ports.begin());
    }
    return tl::unexpected(no_such_port(name, running));
}

}  // namespace sluice::control
