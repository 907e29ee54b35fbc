#include "control/publish.h"

#include <algorithm>
#include <utility>

#include "config/difference.h"
#include "config/fault.h"
#include "control/dcbx/classification.h"
#include "control/dcbx/scheduling.h"
#include "dataplane/buffer/dynamic_threshold.h"
#include "dataplane/buffer/headroom.h"

namespace sluice::control {

tl::expected<void, std::vector<std::string>> Publisher::adopt(config::Configuration next) {
    const auto faults = config::difference_needing_restart(running_, next);
    if (!faults.empty()) {
        std::vector<std::string> lines;
        for (const config::Fault& fault : faults) lines.push_back(config::to_string(fault));
        return tl::unexpected(std::move(lines));
    }
    next.settings.fdb.hash_seed = running_.settings.fdb.hash_seed;
    next.settings.seed = running_.settings.seed;
    for (std::size_t port = 0; port < next.ports.size(); ++port) {
        PortSettings& settings = next.settings.ports[port];
        settings.address = running_.settings.ports[port].address;
        if (link_speeds_[port].count() != 0) fit_to_link(next, port, link_speeds_[port]);
    }
    running_ = std::move(next);
    publish();
    return {};
}

void Publisher::link_runs_at(std::size_t port, BitsPerSecond speed) {
    link_speeds_[port] = speed;
    const bool known = speed.count() == 0 || speed == running_.settings.ports[port].speed;
    if (running_.ports[port].speed_written || known) return;
    fit_to_link(running_, port, speed);
    publish();
}

void Publisher::fit_to_link(config::Configuration& configuration, std::size_t port,
                            BitsPerSecond speed) {
    config::PortConfig& about = configuration.ports[port];
    PortSettings& settings = configuration.settings.ports[port];
    if (about.speed_written) return;
    settings.speed = about.needs.speed = speed;
    if (about.headroom_written) return;
    const Bytes before = std::exchange(settings.pfc.headroom, headroom_for(about.needs));
    if (shared_size(configuration.settings).count() <= 0) settings.pfc.headroom = before;
}

void Publisher::negotiated(std::vector<Negotiated> agreed) {
    if (agreed == negotiated_) return;
    negotiated_ = std::move(agreed);
    publish();
}

void Publisher::publish() {
    effective_ = running_.settings;
    without_room_ = 0;
    const auto pauses = [](const PortSettings& port) { return port.pfc.lossless != 0; };
    const auto first = std::ranges::find_if(running_.settings.ports, pauses);
    for (PortIndex port = 0; port < negotiated_.size(); ++port) {
        PortSettings& settings = effective_.ports[port];
        const Negotiated& agreed = negotiated_[port];
        settings.defended = agreed.defended;
        if (agreed.ets) settings.scheduler = dcbx::scheduler_of(*agreed.ets);
        if (agreed.applications) dcbx::classify_by(*agreed.applications, settings.classify);
        if (!agreed.lossless) continue;
        const PfcSettings written = settings.pfc;
        settings.pfc.lossless = *agreed.lossless;
        // All ports that pause let the same side decide; a written one says which.
        if (first != running_.settings.ports.end()) settings.pfc.trigger = first->pfc.trigger;
        if (shared_size(effective_).count() > 0) continue;
        settings.pfc = written;
        without_room_ |= only(port);
    }
    publish_(effective_);
}

bool Publisher::short_of_headroom(std::size_t port) const {
    const PfcSettings& pfc = effective_.ports[port].pfc;
    return pfc.lossless != 0 && pfc.headroom < headroom_for(running_.ports[port].needs);
}

}  // namespace sluice::control
