#include "control/loop_guard/guard.h"

#include <algorithm>
#include <cassert>

namespace sluice::loop_guard {

std::vector<Change> Guard::configure(std::span<const config::LoopGuardConfig> ports) {
    std::vector<Change> over;
    for (std::size_t index = 0; index < ports.size(); ++index) {
        Port& port = ports_[index];
        const bool same_action = port.config.action == ports[index].action;
        port.config = ports[index];
        const State before = port.state;
        if (port.config.action == Action::off) {
            port.state = State::off;
        } else if (!same_action) {
            port.state = State::clear;
        }
        const bool was_looped = before == State::looped || before == State::shut;
        if (was_looped && port.state != before)
            over.push_back({static_cast<PortIndex>(index), port.other, State::clear});
    }
    return over;
}

std::optional<Change> Guard::receive(const LoopProbe& probe, PortIndex came_by, Nanos now) {
    assert(probe.port < max_ports && came_by < max_ports);
    // The probe may have been sent while its port was still guarded.
    if (ports_[probe.port].state == State::off) return {};
    const PortIndex index = port_at_fault(probe.port, came_by);
    Port& port = ports_[index];
    port.last_probe = now;
    if (port.state != State::clear) return {};
    port.state = port.config.action == Action::shut ? State::shut : State::looped;
    port.other = index == probe.port ? came_by : probe.port;
    return Change{index, port.other, port.state};
}

PortIndex Guard::port_at_fault(PortIndex sender, PortIndex came_by) const {
    const auto is_to_be_shut = [&](PortIndex port) {
        return ports_[port].config.action == Action::shut;
    };
    const PortIndex later = std::max(sender, came_by);
    const PortIndex first = std::min(sender, came_by);
    if (is_to_be_shut(later)) return later;
    return is_to_be_shut(first) ? first : sender;
}

std::vector<Change> Guard::advance(Nanos now) {
    std::vector<Change> changes;
    for (PortIndex index = 0; index < max_ports; ++index) {
        Port& port = ports_[index];
        if (port.state != State::looped && port.state != State::shut) continue;
        const Nanos lasts = port.state == State::shut ? port.config.recovery : clear_after;
        if (now < port.last_probe + lasts) continue;
        port.state = State::clear;
        changes.push_back({index, port.other, State::clear});
    }
    return changes;
}

bool Guard::take_due(PortIndex port, Nanos now) {
    Port& about = ports_[port];
    if (about.state == State::off || now < about.next_probe) return false;
    about.next_probe = now + interval;
    return true;
}

bool Guard::is_on() const {
    return std::ranges::any_of(ports_, [](const Port& port) { return port.state != State::off; });
}

PortSet Guard::shut() const {
    PortSet ports = 0;
    for (PortIndex index = 0; index < max_ports; ++index) {
        if (ports_[index].state == State::shut) ports |= only(index);
    }
    return ports;
}

}  // namespace sluice::loop_guard
