#include "control/hotplug/hotplug.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "config/difference.h"
#include "config/places.h"

namespace sluice::control {

Hotplug::Hotplug(const Parts& parts) : parts_(parts), links_(parts.runtime.ports().size()) {}

void Hotplug::add_to(ServiceList& services) {
    services.add(ServiceId::admin_status, [this](Nanos) { follow_admin_statuses(); });
    services.add(ServiceId::removals, [this](Nanos) { follow_removals(); });
    services.add(ServiceId::links, [this](Nanos) { watch_links(); });
    services.add(ServiceId::returns, [this](Nanos) { follow_returns(); });
}

// Workers that have adopted the change drop received frames, and send XON to paused peers. The link
// goes down at the next check, so that workers have the time for both.
void Hotplug::follow_admin_statuses() {
    const bool all_adopted = parts_.runtime.workers().all_adopted();
    for (PortIndex port = 0; port < links_.size(); ++port) {
        const PortSet bit = only(port);
        if (!is_there(port)) continue;
        if (parts_.publisher.running().settings.ports[port].enabled) {
            about_to_go_down_ &= ~bit;
            if ((admin_down_ & bit) != 0) set_admin_status(port, true);
        } else if ((admin_down_ & bit) == 0) {
            const bool peers_know = (about_to_go_down_ & bit) != 0 || !started_;
            if (peers_know) {
                set_admin_status(port, false);
            } else if (all_adopted) {
                about_to_go_down_ |= bit;
            }
        }
    }
}

void Hotplug::set_admin_status(PortIndex port, bool up) {
    admin_down_ = up ? admin_down_ & ~only(port) : admin_down_ | only(port);
    about_to_go_down_ &= ~only(port);
    pmd::Port& device = *parts_.runtime.ports()[port];
    const std::optional<pmd::Error> refused = device.set_link(up);
    const std::string text = up ? "administratively up" : "administratively down";
    parts_.events.report({refused ? Severity::warning : Severity::notice,
                          up ? "admin_up" : "admin_down", device.name(),
                          refused ? fmt::format("{}; {}", text, refused->text()) : text});
}

std::vector<std::string> Hotplug::follow_names() {
    std::map<std::string, std::string> renamed;
    std::vector<std::string> names;
    for (PortIndex port = 0; port < links_.size(); ++port) {
        if (!is_there(port)) continue;
        pmd::Port& device = *parts_.runtime.ports()[port];
        const std::string& name = parts_.publisher.running().ports[port].name;
        if (name == device.name()) continue;
        parts_.events.notice("port_renamed", name, fmt::format("was called {}", device.name()));
        renamed.emplace(device.name(), name);
        names.push_back(name);
        device.rename(name);
    }
    if (!renamed.empty()) parts_.counters.rename(renamed);
    return names;
}

// Works in two phases: all checks are made, and every device opened, before anything running is
// changed.
Hotplug::Adopted Hotplug::take_over(config::Configuration next, bool may_go_back) {
    const auto refused = [](std::vector<std::string> lines) {
        return tl::unexpected(StartFailure{Status::failed, std::move(lines)});
    };
    const config::Configuration& running = parts_.publisher.running();
    const PortSet vacant = config::vacant_places(running);
    auto faults = config::take_places(next, running, vacant & ~leaving_);
    if (faults.empty()) faults = config::difference_needing_restart(running, next);
    if (!faults.empty()) return refused(config::lines_of(faults));
    const PortSet added = vacant & ~config::vacant_places(next);
    const PortSet removed = config::vacant_places(next) & ~vacant;
    if (may_go_back) {
        auto final = parts_.runtime.would_not_open_again(running, removed, privileged_);
        if (!final.empty()) return refused(std::move(final));
    }
    auto opened = parts_.runtime.open_ports(next, added, privileged_);
    if (!opened) return tl::unexpected(std::move(opened.error()));
    for (const auto& [place, port] : *opened) {
        next.settings.ports[place].address = port->address();
        parts_.managers.dcbx.set_abilities(place, parts_.runtime.abilities_of_port(*port));
    }
    Changes changes;
    for_each_port(removed, [&](PortIndex place) { changes.removed.push_back(port_name(place)); });
    if (const auto adopted =
            parts_.managers.dcbx.adopt(std::move(next), parts_.runtime.clock().now());
        !adopted) {
        for_each_port(added, [&](PortIndex place) { parts_.runtime.close(place); });
        return refused(adopted.error());
    }
    for_each_port(removed, [&](PortIndex place) {
        // If the device has vanished, the port is closed already.
        if (parts_.runtime.ports()[place]) leaving_ |= only(place);
    });
    returning_ &= ~removed;
    not_reopened_ &= ~removed;
    for (auto& [place, port] : *opened) {
        changes.added.push_back(port_name(place));
        install(place, std::move(port), "port_added");
        parts_.counters.port_added(port_name(place));
    }
    return changes;
}

void Hotplug::install(PortIndex place, std::unique_ptr<pmd::Port> port, const std::string& kind) {
    const pmd::Port& device = *port;
    links_[place] = {};
    admin_down_ &= ~only(place);
    parts_.services.forget(place);
    parts_.runtime.add(place, std::move(port));
    parts_.events.notice(kind, device.name(), fmt::format("{} is open", device.device().text));
    for (const std::string& notice : device.notices())
        parts_.events.warn(kind, device.name(), notice);
    if (!parts_.publisher.running().settings.ports[place].enabled) set_admin_status(place, false);
}

// Removes ports: a port first goes administratively down, which its peer sees; then workers stop
// using it, and it is closed.
void Hotplug::follow_removals() {
    if (leaving_ == 0 || !parts_.runtime.workers().all_adopted()) return;
    for_each_port(leaving_, [&](PortIndex place) {
        const PortSet bit = only(place);
        if ((released_by_workers_ & bit) != 0) {
            const std::string name = parts_.runtime.ports()[place]->name();
            const std::string device = parts_.runtime.ports()[place]->device().text;
            parts_.captures.stop_on(bit);
            parts_.runtime.close(place);
            leaving_ &= ~bit;
            released_by_workers_ &= ~bit;
            parts_.events.notice("port_removed", name, fmt::format("{} is closed", device));
        } else if ((about_to_go_down_ & bit) != 0) {
            about_to_go_down_ &= ~bit;
            admin_down_ &= ~bit;
            links_[place] = {};
            parts_.runtime.dataplane().set_link(place, false);
            parts_.runtime.dataplane().flush_fdb_port(place);
            parts_.services.set_link(place, {});
            parts_.runtime.workers().set_port(place, nullptr);
            released_by_workers_ |= bit;
        } else {
            about_to_go_down_ |= bit;
        }
    });
}

// Returns ports whose interface was deleted and made again: workers stop using the old device,
// which is closed.
void Hotplug::follow_returns() {
    const config::Configuration& running = parts_.publisher.running();
    for (PortIndex place = 0; place < links_.size(); ++place) {
        const PortSet bit = only(place);
        if (running.ports[place].vacant) continue;
        if (!is_there(place)) {
            reopen(place);
        } else if ((returning_ & bit) != 0) {
            if (!parts_.runtime.workers().all_adopted()) continue;
            returning_ &= ~bit;
            parts_.captures.stop_on(bit);
            parts_.runtime.close(place);
            reopen(place);
        } else if (parts_.runtime.ports()[place]->has_successor() &&
                   parts_.runtime.reopens(running, place, privileged_)) {
            parts_.runtime.workers().set_port(place, nullptr);
            returning_ |= bit;
        }
    }
}

// Reopens the port with the running settings. A failed attempt is repeated later.
void Hotplug::reopen(PortIndex place) {
    config::Configuration next = parts_.publisher.running();
    const auto fails = [&](const std::vector<std::string>& lines) {
        const bool is_known =
            (std::exchange(not_reopened_, not_reopened_ | only(place)) & only(place)) != 0;
        for (const std::string& line : lines) {
            if (!is_known) parts_.events.warn("port_vanished", port_name(place), line);
        }
    };
    auto opened = parts_.runtime.open_ports(next, only(place), privileged_);
    if (!opened) return fails(opened.error().lines);
    std::unique_ptr<pmd::Port>& port = opened->front().second;
    next.settings.ports[place].address = port->address();
    parts_.managers.dcbx.set_abilities(place, parts_.runtime.abilities_of_port(*port));
    if (const auto adopted =
            parts_.managers.dcbx.adopt(std::move(next), parts_.runtime.clock().now());
        !adopted) {
        return fails(adopted.error());
    }
    not_reopened_ &= ~only(place);
    install(place, std::move(port), "port_returned");
    parts_.follow_settings();
}

}  // namespace sluice::control
