// What an operator does to ports of a running switch: administratively down and up, other names.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

#include "control/daemon.h"

namespace sluice::control {

// Workers refuse what comes in once they have adopted it, and tell peers that were paused to go on;
// the link goes down when they have had the time from one look to the next for that.
void Daemon::follow_admin_statuses() {
    const bool settled = runtime_->workers().settled();
    for (PortIndex port = 0; port < links_.size(); ++port) {
        const PortSet bit = only(port);
        if (publisher_->running().settings.ports[port].enabled) {
            about_to_go_down_ &= ~bit;
            if ((admin_down_ & bit) != 0) set_admin_status(port, true);
        } else if ((admin_down_ & bit) == 0) {
            const bool peers_know = (about_to_go_down_ & bit) != 0 || !running_;
            if (peers_know) {
                set_admin_status(port, false);
            } else if (settled) {
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
    const auto say = refused ? &Daemon::warn : &Daemon::tell;
    (this->*say)(up ? "admin_up" : "admin_down", device.name(),
                 refused ? fmt::format("{}; {}", text, refused->text()) : text);
}

// A port of another name is the same port as long as its device is: it keeps its counters.
void Daemon::follow_names() {
    std::map<std::string, std::string> renamed;
    for (PortIndex port = 0; port < links_.size(); ++port) {
        pmd::Port& device = *runtime_->ports()[port];
        const std::string& name = publisher_->running().ports[port].name;
        if (name == device.name()) continue;
        tell("port_renamed", name, fmt::format("was called {}", device.name()));
        renamed.emplace(device.name(), name);
        device.rename(name);
    }
    if (!renamed.empty()) cleared_.rename(renamed);
}

}  // namespace sluice::control
