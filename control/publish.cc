#include "control/publish.h"

#include "config/difference.h"
#include "config/fault.h"

namespace sluice::control {

tl::expected<void, std::vector<std::string>> Publisher::adopt(config::Configuration next) {
    const auto faults = config::difference_needing_restart(running_, next);
    if (!faults.empty()) {
        std::vector<std::string> lines;
        for (const config::Fault& fault : faults) lines.push_back(config::to_string(fault));
        return tl::unexpected(std::move(lines));
    }
    next.settings.fdb.hash_seed = running_.settings.fdb.hash_seed;
    for (std::size_t port = 0; port < next.ports.size(); ++port) {
        PortSettings& settings = next.settings.ports[port];
        settings.address = running_.settings.ports[port].address;
        if (!next.ports[port].speed_written && link_speeds_[port].count() != 0) {
            settings.speed = link_speeds_[port];
        }
    }
    running_ = std::move(next);
    publish_(running_.settings);
    return {};
}

void Publisher::link_runs_at(std::size_t port, BitsPerSecond speed) {
    link_speeds_[port] = speed;
    BitsPerSecond& known = running_.settings.ports[port].speed;
    if (running_.ports[port].speed_written || speed.count() == 0 || speed == known) return;
    known = speed;
    publish_(running_.settings);
}

}  // namespace sluice::control
