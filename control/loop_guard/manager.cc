#include "control/loop_guard/manager.h"

#include <fmt/format.h>

#include "control/bridge_address.h"

namespace sluice::control {

using loop_guard::Change;
using loop_guard::State;

namespace {

constexpr uint64_t never_0 = uint64_t{1} << 63;

}  // namespace

LoopGuardManager::LoopGuardManager(Switch& dataplane, const config::Configuration& configuration,
                                   EventSink& events)
    : dataplane_(dataplane),
      events_(events),
      sender_(bridge_address(configuration).bits | never_0) {
    configure(configuration, Nanos(0));
}

void LoopGuardManager::configure(const config::Configuration& configuration, Nanos) {
    std::vector<config::LoopGuardConfig> ports;
    names_.clear();
    addresses_.clear();
    for (std::size_t port = 0; port < configuration.ports.size(); ++port) {
        ports.push_back(configuration.ports[port].loop_guard);
        names_.push_back(configuration.ports[port].name);
        addresses_.push_back(configuration.settings.ports[port].address);
    }
    const std::vector<Change> over = guard_.configure(ports);
    dataplane_.set_loop_probe_source(guard_.is_on() ? sender_ : 0);
    dataplane_.set_loop_shut(guard_.shut());
    for (const Change& change : over) {
        events_.notice("loop_over", change.port, "loop_guard.action changed");
    }
}

void LoopGuardManager::tick(Nanos now) {
    std::vector<Change> changes = receive(now);
    for (const Change& over : guard_.advance(now)) changes.push_back(over);
    if (!changes.empty()) dataplane_.set_loop_shut(guard_.shut());
    for (const Change& change : changes) events_.report(event_of(change), now);
    send(now);
}

std::vector<Change> LoopGuardManager::receive(Nanos now) {
    std::vector<Change> changes;
    for (PortIndex port = 0; port < names_.size(); ++port) {
        Mailbox& box = dataplane_.received(port, ControlProtocol::loop_probe);
        for (uint32_t frames = 0; frames < Mailbox::slots && !box.front().empty(); ++frames) {
            const auto probe = read_loop_probe(box.front());
            const bool is_ours = probe && probe->sender == sender_ && probe->port < names_.size();
            if (is_ours) {
                if (const auto change = guard_.receive(*probe, port, now))
                    changes.push_back(*change);
            }
            box.pop();
        }
    }
    return changes;
}

// A probe for which the mailbox has no room is dropped: the next is due in a second. If the
// spanning tree has cut a loop, no probe returns.
void LoopGuardManager::send(Nanos now) {
    for (PortIndex port = 0; port < names_.size(); ++port) {
        if (!guard_.take_due(port, now)) continue;
        if (dataplane_.refusal(port) == Drop::stp_discarding) continue;
        dataplane_.send_for_control(port, frame_of({sender_, port}, addresses_[port]));
    }
}

Event LoopGuardManager::event_of(const Change& change) const {
    if (change.state == State::clear) {
        return notice("loop_over", change.port, "probes no longer return");
    }
    const std::string where = change.other == change.port
                                  ? "loop: frames sent by the port return to it"
                                  : fmt::format("loop to {}", names_[change.other]);
    const bool is_shut = change.state == State::shut;
    return warning(
        "loop_detected", change.port,
        fmt::format("{}: {}", where,
                    is_shut ? "the port is shut until none has returned for its recovery time"
                            : "no action configured"));
}

}  // namespace sluice::control
