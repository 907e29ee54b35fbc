// What is shown of the switch.
#include <string>
#include <utility>

#include "control/daemon/daemon.h"
#include "pmd_glue/eal.h"

namespace sluice::control {

View Daemon::view() const {
    std::vector<PortView> ports = runtime_->port_views(hotplug_->links());
    for (std::size_t port = 0; port < ports.size(); ++port) {
        ports[port].aggregation = publisher_->running().ports[port].aggregation;
        ports[port].description = publisher_->running().ports[port].description;
        const auto place = static_cast<PortIndex>(port);
        ports[port].loop_guard = managers_->loop_guard.state(place);
        const config::PortConfig& running = publisher_->running().ports[port];
        if (ports[port].vacant && !running.vacant) {  // away for a while
            ports[port].name = running.name;
            ports[port].device = running.device;
            ports[port].vanished = true;
        }
        ports[port].vacant = running.vacant;
    }
    return {
        .dataplane = std::as_const(*runtime_).dataplane(),
        .settings = publisher_->effective(),
        .ports = std::move(ports),
        .workers = runtime_->worker_views(),
        .events = events_.log(),
        .agents = managers_->lldp.agents(),
        .dcbx = managers_->dcbx.agents(),
        .aggregators = managers_->lacp.aggregators(),
        .now = runtime_->clock().now(),
        .polls = runtime_->polls(),
        .configuration_file = publisher_->running().source.file,
        .configuration = publisher_->running().source.text,
        .sflow = &managers_->sflow,
        .recorder = &managers_->recorder,
        .evpn = &managers_->evpn,
        .tunnels = runtime_->tunnel_views(),
        .neighbours = &managers_->neighbours,
        .querier = &managers_->querier,
        .rstp = &managers_->rstp,
        .dpdk = pmd::dpdk_version(),
        .up_since = up_since_,
        .vlan_names = &publisher_->running().vlan_names,
        .rates = rates_->rates().rates(),
        .history = &rates_->history(),
    };
}

Json Daemon::show(std::string_view noun, bool all) const { return counters_.show(noun, all); }

Json Daemon::show_growing(std::string_view noun, bool all) const {
    return counters_.show_growing(noun, all);
}

}  // namespace sluice::control
