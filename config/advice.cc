#include "config/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

#include "config/loops.h"
#include "config/port/device_words.h"

namespace sluice::config {

namespace {

// Frames of a tunnel are received by the port below the tunnel.
bool loses_before(const Configuration& configuration, PortIndex port) {
    const PortIndex below =
        configuration.ports[port].tunnel ? configuration.settings.ports[port].underlay : port;
    return traits_of_device(configuration.ports[below].device)->loses_before;
}

std::optional<std::string> advice_on_lossless(const Configuration& configuration) {
    std::vector<std::string> names;
    for (PortIndex port = 0; port < configuration.ports.size(); ++port) {
        const PortConfig& about = configuration.ports[port];
        const PortSettings& settings = configuration.settings.ports[port];
        if (about.vacant || settings.pfc.lossless == 0 || settings.retry.is_on) continue;
        if (loses_before(configuration, port)) names.push_back(about.name);
    }
    if (names.empty()) return {};
    return fmt::format(
        "{} {} lossless priorities on a kernel interface, which drops frames when its ring is "
        "full, before the switch can pause the peer (`missed`): af_xdp, memif, vhost and NICs of "
        "DPDK do not lose frames; write retry: {{enabled: true}} where the peer is a port of this "
        "switch too, at a tunnel and not below it, or lossless: [] there",
        fmt::join(names, ", "), names.size() == 1 ? "has" : "have");
}

}  // namespace

std::vector<std::string> advice_on(const Configuration& configuration) {
    std::vector<std::string> advice = advice_on_loops(configuration);
    if (auto line = advice_on_lossless(configuration)) advice.push_back(std::move(*line));
    return advice;
}

}  // namespace sluice::config
