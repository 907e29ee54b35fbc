// Reads the links, passes changes to the services, and reports them.
#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "config/yaml/values.h"
#include "control/hotplug/hotplug.h"
#include "pmd_glue/xdp/layout.h"

namespace sluice::control {

namespace {

// Returns how a port that has vanished can return. `reopens`: the switch opens its device again by
// itself.
std::string_view way_back(const pmd::Port& port, bool reopens) {
    if (port.device().traits().makes_interface()) {
        return reopens ? "the switch recreates the interface"
                       : "restart sluiced to recreate it, or configure `hotplug: {devices: [tap]}` "
                         "from the start";
    }
    return reopens ? "recreate the interface; the switch then opens it again"
                   : "recreate the interface and restart sluiced";
}

}  // namespace

// Returns the configured speed of the tunnel. If none is configured, returns the speed of the port
// below the tunnel, which is configured or that of its link.
BitsPerSecond Hotplug::speed_of_tunnel(PortIndex port) const {
    const config::Configuration& running = parts_.publisher.running();
    const std::vector<PortSettings>& ports = running.settings.ports;
    return ports[running.ports[port].speed_written ? port : ports[port].underlay].speed;
}

// Reads the link. Returns the link as it was before.
pmd::Link Hotplug::look_at_link(PortIndex port) {
    const pmd::Link before = std::exchange(links_[port], parts_.runtime.link_of(port));
    pmd::Link& now = links_[port];
    const PortIndex underlay = parts_.publisher.running().settings.ports[port].underlay;
    const PortSet needed = only(port) | (underlay == no_underlay ? 0 : only(underlay));
    now.up = now.up && (admin_down_ & needed) == 0;
    if (underlay != no_underlay && now.speed.count() > 0) now.speed = speed_of_tunnel(port);
    if (now == before) return before;
    parts_.runtime.dataplane().set_link(port, now.up);
    parts_.services.set_link(port, {now.up, now.speed});
    if (now.up) parts_.publisher.link_runs_at(port, now.speed);
    return before;
}

void Hotplug::watch_links() {
    for (PortIndex port = 0; port < links_.size(); ++port) {
        if (!is_there(port)) continue;
        parts_.runtime.ports()[port]->follow_host();
        const pmd::Link before = look_at_link(port);
        const pmd::Link& now = links_[port];
        const pmd::Port& device = *parts_.runtime.ports()[port];
        if (now.vanished && !before.vanished) {
            parts_.events.warn(
                "port_vanished", device.name(),
                fmt::format("{} is gone; the other ports keep switching; {}", device.device().text,
                            way_back(device, parts_.runtime.reopens(parts_.publisher.running(),
                                                                    port, privileged_))));
        } else if (now.up && !before.up) {
            parts_.events.notice(
                "link_up", device.name(),
                fmt::format("link up at {}", config::format_rate(now.speed.count())));
        } else if (before.up && !now.up) {
            parts_.events.warn("link_down", device.name(), "link down");
        }
        if (const std::size_t addresses = parts_.runtime.ports()[port]->take_addresses_left_out()) {
            parts_.events.warn("host_addresses", device.name(),
                               fmt::format("the interface has {} addresses above the limit of {} "
                                           "per family; ARP and ND for them are unanswered; remove "
                                           "some, or give the host all ARP and ND by host.rules",
                                           addresses, static_cast<int>(xdp_most_addresses)));
        }
        if (auto why = parts_.runtime.ports()[port]->take_note()) {
            parts_.events.notice("connection_ended", device.name(), "not connected: " + *why);
        }
    }
}

void Hotplug::look_at_all() {
    follow_admin_statuses();
    for (PortIndex port = 0; port < links_.size(); ++port) {
        if (is_there(port)) look_at_link(port);
    }
}

}  // namespace sluice::control
