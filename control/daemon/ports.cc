// What an operator does to ports of a running switch: administratively down and up, other names,
// ports that come and go, members of aggregations.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

#include "config/difference.h"
#include "config/places.h"
#include "control/daemon/daemon.h"

namespace sluice::control {

// Workers refuse what comes in once they have adopted it, and send XON to peers that were paused;
// the link goes down when they have had the time from one look to the next for that.
void Daemon::follow_admin_statuses() {
    const bool all_adopted = runtime_->workers().all_adopted();
    for (PortIndex port = 0; port < links_.size(); ++port) {
        const PortSet bit = only(port);
        if (!is_there(port)) continue;
        if (publisher_->running().settings.ports[port].enabled) {
            about_to_go_down_ &= ~bit;
            if ((admin_down_ & bit) != 0) set_admin_status(port, true);
        } else if ((admin_down_ & bit) == 0) {
            const bool peers_know = (about_to_go_down_ & bit) != 0 || !running_;
            if (peers_know) {
                set_admin_status(port, false);
            } else if (all_adopted) {
                about_to_go_down_ |= bit;
            }
        }
    }
}

void Daemon::set_admin_status(PortIndex port, bool up) {
    admin_down_ = up ? admin_down_ & ~only(port) : admin_down_ | only(port);
    about_to_go_down_ &= ~only(port);
    pmd::Port& device = *runtime_->ports()[port];
    const std::optional<pmd::Error> refused = device.set_link(up);
    const std::string text = up ? "administratively up" : "administratively down";
    events_.report({refused ? Severity::warning : Severity::notice, up ? "admin_up" : "admin_down",
                    device.name(), refused ? fmt::format("{}; {}", text, refused->text()) : text});
}

// A port of another name is the same port as long as its device is: it keeps its counters.
std::vector<std::string> Daemon::follow_names() {
    std::map<std::string, std::string> renamed;
    std::vector<std::string> names;
    for (PortIndex port = 0; port < links_.size(); ++port) {
        if (!is_there(port)) continue;
        pmd::Port& device = *runtime_->ports()[port];
        const std::string& name = publisher_->running().ports[port].name;
        if (name == device.name()) continue;
        events_.notice("port_renamed", name, fmt::format("was called {}", device.name()));
        renamed.emplace(device.name(), name);
        names.push_back(name);
        device.rename(name);
    }
    if (!renamed.empty()) {
        ports_before_.rename(renamed);
        cleared_.rename(renamed);
        restored_counters_.rename(renamed);
        restored_counters_shown_.rename(renamed);
    }
    return names;
}

// In two phases: what can be refused is found out, and every device opened, before anything that
// runs is changed.
Daemon::Adopted Daemon::take_over(config::Configuration next, bool may_go_back) {
    const auto refused = [](std::vector<std::string> lines) {
        return tl::unexpected(StartFailure{Status::failed, std::move(lines)});
    };
    const config::Configuration& running = publisher_->running();
    const PortSet vacant = config::vacant_places(running);
    auto faults = config::take_places(next, running, vacant & ~leaving_);
    if (faults.empty()) faults = config::difference_needing_restart(running, next);
    if (!faults.empty()) return refused(config::lines_of(faults));
    const PortSet added = vacant & ~config::vacant_places(next);
    const PortSet removed = config::vacant_places(next) & ~vacant;
    if (may_go_back) {
        auto final = runtime_->would_not_open_again(running, removed, privileged_);
        if (!final.empty()) return refused(std::move(final));
    }
    auto opened = runtime_->open_ports(next, added, privileged_);
    if (!opened) return tl::unexpected(std::move(opened.error()));
    for (const auto& [place, port] : *opened) {
        next.settings.ports[place].address = port->address();
        managers_->dcbx.set_abilities(place, runtime_->abilities_of_port(*port));
    }
    PortChanges changes;
    for_each_port(removed, [&](PortIndex place) { changes.removed.push_back(port_name(place)); });
    if (const auto adopted = managers_->dcbx.adopt(std::move(next), runtime_->clock().now());
        !adopted) {
        for_each_port(added, [&](PortIndex place) { runtime_->close(place); });
        return refused(adopted.error());
    }
    for_each_port(removed, [&](PortIndex place) {
        if (runtime_->ports()[place]) leaving_ |= only(place);  // else it is away already
    });
    returning_ &= ~removed;
    not_reopened_ &= ~removed;
    for (auto& [place, port] : *opened) {
        changes.added.push_back(port_name(place));
        install(place, std::move(port), "port_added");
        const std::string name = port_name(place);
        ports_before_.take_port(
            name, [this](std::string_view noun) { return snapshot(noun, view(), false); });
        cleared_.take_port(name,
                           [this](std::string_view noun) { return since_added(noun, false); });
        restored_counters_.forget(name);
        restored_counters_shown_.forget(name);
    }
    return changes;
}

void Daemon::install(PortIndex place, std::unique_ptr<pmd::Port> port, const std::string& kind) {
    const pmd::Port& device = *port;
    links_[place] = {};
    admin_down_ &= ~only(place);
    reported_pfc_storms_[place] = 0;
    reported_stalls_ &= ~only(place);
    abilities_.forget(place);
    relays_->forget(place);
    runtime_->add(place, std::move(port));
    events_.notice(kind, device.name(), fmt::format("{} is open", device.device().text));
    for (const std::string& notice : device.notices()) events_.warn(kind, device.name(), notice);
    if (!publisher_->running().settings.ports[place].enabled) set_admin_status(place, false);
}

// First the port goes administratively down, which its peer sees; then workers stop using it, and
// it is closed.
void Daemon::follow_removals() {
    if (leaving_ == 0 || !runtime_->workers().all_adopted()) return;
    for_each_port(leaving_, [&](PortIndex place) {
        const PortSet bit = only(place);
        if ((released_by_workers_ & bit) != 0) {
            const std::string name = runtime_->ports()[place]->name();
            const std::string device = runtime_->ports()[place]->device().text;
            captures_->stop_on(bit);
            runtime_->close(place);
            leaving_ &= ~bit;
            released_by_workers_ &= ~bit;
            events_.notice("port_removed", name, fmt::format("{} is closed", device));
        } else if ((about_to_go_down_ & bit) != 0) {
            about_to_go_down_ &= ~bit;
            admin_down_ &= ~bit;
            links_[place] = {};
            runtime_->dataplane().set_link(place, false);
            runtime_->dataplane().flush_fdb_port(place);
            services_.set_link(place, {});
            runtime_->workers().set_port(place, nullptr);
            released_by_workers_ |= bit;
        } else {
            about_to_go_down_ |= bit;
        }
    });
}

// A port whose interface was deleted and made again: workers stop using the old one, which is
// closed.
void Daemon::follow_returns() {
    const config::Configuration& running = publisher_->running();
    for (PortIndex place = 0; place < links_.size(); ++place) {
        const PortSet bit = only(place);
        if (running.ports[place].vacant) continue;
        if (!is_there(place)) {
            reopen(place);
        } else if ((returning_ & bit) != 0) {
            if (!runtime_->workers().all_adopted()) continue;
            returning_ &= ~bit;
            captures_->stop_on(bit);
            runtime_->close(place);
            reopen(place);
        } else if (runtime_->ports()[place]->has_successor() &&
                   runtime_->reopens(running, place, privileged_)) {
            runtime_->workers().set_port(place, nullptr);
            returning_ |= bit;
        }
    }
}

// With the settings that run. If it cannot be it is tried again.
void Daemon::reopen(PortIndex place) {
    config::Configuration next = publisher_->running();
    const auto fails = [&](const std::vector<std::string>& lines) {
        const bool is_known =
            (std::exchange(not_reopened_, not_reopened_ | only(place)) & only(place)) != 0;
        for (const std::string& line : lines) {
            if (!is_known) events_.warn("port_vanished", port_name(place), line);
        }
    };
    auto opened = runtime_->open_ports(next, only(place), privileged_);
    if (!opened) return fails(opened.error().lines);
    std::unique_ptr<pmd::Port>& port = opened->front().second;
    next.settings.ports[place].address = port->address();
    managers_->dcbx.set_abilities(place, runtime_->abilities_of_port(*port));
    if (const auto adopted = managers_->dcbx.adopt(std::move(next), runtime_->clock().now());
        !adopted) {
        return fails(adopted.error());
    }
    not_reopened_ &= ~only(place);
    install(place, std::move(port), "port_returned");
    follow_settings();
}

}  // namespace sluice::control
