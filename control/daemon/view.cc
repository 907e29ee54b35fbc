// Makes the View of the switch that `show` prints.
#include <utility>

#include "control/daemon/daemon.h"
#include "pmd_glue/eal.h"

namespace sluice::control {

View Daemon::view() const {
    std::vector<PortView> ports = runtime_->port_views(switch_->hotplug.links());
    for (std::size_t port = 0; port < ports.size(); ++port) {
        ports[port].aggregation = switch_->running().ports[port].aggregation;
        ports[port].description = switch_->running().ports[port].description;
        const auto place = static_cast<PortIndex>(port);
        ports[port].loop_guard = switch_->managers.loop_guard.state(place);
        const config::PortConfig& running = switch_->running().ports[port];
        if (ports[port].vacant && !running.vacant) {  // the port's device has vanished
            ports[port].name = running.name;
            ports[port].device = running.device;
            ports[port].vanished = true;
        }
        ports[port].vacant = running.vacant;
    }
    return {
        .dataplane = std::as_const(*runtime_).dataplane(),
        .settings = switch_->publisher.effective(),
        .ports = std::move(ports),
        .workers = runtime_->worker_views(),
        .events = events_.log(),
        .agents = switch_->managers.lldp.agents(),
        .dcbx = switch_->managers.dcbx.agents(),
        .aggregators = switch_->managers.lacp.aggregators(),
        .now = runtime_->clock().now(),
        .polls = runtime_->polls(),
        .configuration_file = switch_->running().source.file,
        .configuration = switch_->running().source.text,
        .sflow = &switch_->managers.sflow,
        .ipfix = &switch_->managers.ipfix,
        .recorder = &switch_->managers.recorder,
        .evpn = &switch_->managers.evpn,
        .tunnels = runtime_->tunnel_views(),
        .neighbours = &switch_->managers.neighbours,
        .querier = &switch_->managers.querier,
        .rstp = &switch_->managers.rstp,
        .dpdk = pmd::dpdk_version(),
        .up_since = up_since_,
        .vlan_names = &switch_->running().vlan_names,
        .rates = switch_->rates.rates().rates(),
        .history = &switch_->rates.history(),
    };
}

Json Daemon::show(std::string_view noun, bool all) const {
    return switch_->counters.show(noun, all);
}

Json Daemon::show_growing(std::string_view noun, bool all) const {
    return switch_->counters.show_growing(noun, all);
}

}  // namespace sluice::control
