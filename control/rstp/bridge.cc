#include "control/rstp/bridge.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sluice::rstp {

namespace {

// The limit only prevents an endless loop: no event causes nearly this many rounds of transitions.
constexpr int most_rounds = 1000;

}  // namespace

// --- inputs -------------------------------------------------------------------------------------

void Bridge::set_time(Nanos now) {
    assert(now >= now_);
    now_ = now;
}

void Bridge::configure(const BridgeSettings& settings, Nanos now) {
    set_time(now);
    const BridgeSettings before = std::exchange(settings_, settings);
    if (before == settings_) return;
    if (before.rapid != settings_.rapid) {
        for (Port& port : ports_) begin(port);
    }
    reselect_all();
    run();
}

void Bridge::reselect_all() {
    for (Port& port : ports_) {
        port.reselect = true;
        port.selected = false;
    }
    if (!ports_.empty()) return;
    root_priority_ = {.root = id(), .cost = 0, .bridge = id(), .port = {}};
    root_times_ = settings_.times;
}

// Resets the port to the state of BEGIN (17.16).
void Bridge::begin(Port& port) {
    Port begun;
    begun.index = port.index;
    begun.settings = port.settings;
    begun.id = port_id(port.settings.priority, static_cast<uint16_t>(port.index + 1));
    begun.link = port.link;
    begun.guarded = port.guarded;
    begun.last_bpdu = port.last_bpdu;
    begun.counts = port.counts;
    begun.reported_role = port.reported_role;
    begun.reported_state = port.reported_state;
    begun.reported_guarded = port.reported_guarded;
    begun.reported_kept_from_root = port.reported_kept_from_root;
    begun.sync = begun.re_root = true;
    begun.oper_edge = begun.is_admin_edge();
    begun.send_rstp = settings_.rapid;
    begun.migration_delay_while = now_ + migrate_time;
    begun.edge_delay_while = now_ + migrate_time;
    begun.designated_times = root_times_;
    port = begun;
}

void Bridge::set_port(PortIndex index, const PortSettings& settings, Nanos now) {
    set_time(now);
    assert(index < max_ports);
    Port* port = find(index);
    if (port == nullptr) {
        Port added;
        added.index = index;
        added.settings = settings;
        const auto place = std::ranges::lower_bound(ports_, index, {}, &Port::index);
        port = &*ports_.insert(place, added);
        begin(*port);
    } else {
        const PortSettings before = std::exchange(port->settings, settings);
        if (before == settings) return;
        port->id = port_id(settings.priority, static_cast<uint16_t>(index + 1));
        if (!settings.bpdu_guard) port->guarded = false;
        // `on` takes effect when the link comes up next (17.25), because a bridge may be at the
        // port now.
        if (settings.edge == Edge::off) port->oper_edge = false;
    }
    reselect_all();
    run();
}

void Bridge::remove_port(PortIndex index, Nanos now) {
    set_time(now);
    std::erase_if(ports_, [&](const Port& port) { return port.index == index; });
    flushes_ &= ~only(index);
    noticed_changes_ &= ~only(index);
    reselect_all();
    run();
}

void Bridge::set_link(PortIndex index, bool up, Nanos now) {
    set_time(now);
    Port* const port = find(index);
    if (port == nullptr || port->link == up) return;
    port->link = up;
    if (!up) port->guarded = false;  // the sender of the BPDU may be gone
    if (up) port->edge_delay_while = now_ + migrate_time;
    run();
}

void Bridge::receive(PortIndex index, std::span<const uint8_t> frame, Nanos now) {
    set_time(now);
    Port* const port = find(index);
    if (port == nullptr) return;
    const std::optional<Bpdu> bpdu = read_bpdu(frame);
    if (!bpdu) {
        ++port->counts.damaged_in;
        return;
    }
    if (port->settings.bpdu_filter) {
        ++port->counts.filtered_in;
        return;
    }
    ++port->counts.bpdus_in;
    if (bpdu->kind == BpduKind::topology_change || bpdu->topology_change) {
        ++port->counts.topology_changes_in;
    }
    port->last_bpdu = now;
    // With its link down the port ignores a BPDU that was still waiting, because its sender may be
    // gone.
    if (port->settings.bpdu_guard && port->link) port->guarded = true;
    run();  // updates all timers to `now`
    if (!port->enabled()) return;
    // The port receive machine (17.23).
    (bpdu->kind == BpduKind::rst ? port->received_rstp : port->received_stp) = true;
    port->oper_edge = false;
    port->edge_delay_while = now_ + migrate_time;
    while (migrate(*port)) {
    }
    receive_information(*port, *bpdu);
    run();
}

void Bridge::advance(Nanos now) {
    set_time(now);
    if (over(next_second_)) {
        next_second_ = now_ + one_second;
        for (Port& port : ports_) port.sent_of_late -= port.sent_of_late > 0 ? 1 : 0;
    }
    for (Port& port : ports_) {
        const Nanos recovery = port.settings.recovery;
        if (port.guarded && recovery.count() > 0 && over(port.last_bpdu + recovery)) {
            port.guarded = false;
        }
    }
    run();
}

// --- the machines -------------------------------------------------------------------------------

void Bridge::run() {
    bool changed = true;
    for (int round = 0; changed && round < most_rounds; ++round) {
        changed = false;
        for (Port& port : ports_) {
            changed |= migrate(port);
            changed |= detect_edge(port);
            changed |= update_information(port);
        }
        changed |= select_roles();
        for (Port& port : ports_) {
            changed |= change_role(port);
            changed |= change_state(port);
            changed |= change_topology(port);
        }
    }
    assert(!changed && is_consistent());
}

bool Bridge::is_consistent() const {
    const auto is_open = [](const Port& port) {
        return port.role == Role::root || port.role == Role::designated;
    };
    return std::ranges::count(ports_, Role::root, &Port::role) <= 1 &&
           std::ranges::all_of(ports_, [&](const Port& port) {
               return port.learning == port.learn && port.forwarding == port.forward &&
                      (!port.forward || (port.learn && is_open(port)));
           });
}

// --- outputs ------------------------------------------------------------------------------------

PortSet Bridge::take_flushes() { return std::exchange(flushes_, 0); }

std::vector<Change> Bridge::take_changes() {
    std::vector<Change> changes;
    if (std::exchange(reported_root_, root()) != root()) changes.push_back({ChangeKind::root, 0});
    for (Port& port : ports_) {
        const auto report = [&](ChangeKind what) { changes.push_back({what, port.index}); };
        if (std::exchange(port.reported_guarded, port.guarded) != port.guarded) {
            report(port.guarded ? ChangeKind::guard_shut : ChangeKind::guard_over);
        }
        const bool kept = is_kept_from_root(port);
        if (std::exchange(port.reported_kept_from_root, kept) != kept) {
            report(kept ? ChangeKind::root_refused : ChangeKind::root_refused_over);
        }
        const bool other_role = std::exchange(port.reported_role, port.role) != port.role;
        const bool other_state = std::exchange(port.reported_state, port.state()) != port.state();
        if (other_role || other_state) report(ChangeKind::port);
        if ((noticed_changes_ & only(port.index)) != 0) report(ChangeKind::topology_change);
    }
    noticed_changes_ = 0;
    return changes;
}

PortSet Bridge::in_state(State state) const {
    PortSet ports = 0;
    for (const Port& port : ports_) {
        if (port.state() == state) ports |= only(port.index);
    }
    return ports;
}

// --- state --------------------------------------------------------------------------------------

std::optional<PortIndex> Bridge::root_port() const {
    const auto found = std::ranges::find(ports_, Role::root, &Port::role);
    return found == ports_.end() ? std::nullopt : std::optional(found->index);
}

const Port* Bridge::port(PortIndex index) const {
    const auto found = std::ranges::find(ports_, index, &Port::index);
    return found == ports_.end() ? nullptr : &*found;
}

Port* Bridge::find(PortIndex index) {
    const auto found = std::ranges::find(ports_, index, &Port::index);
    return found == ports_.end() ? nullptr : &*found;
}

bool Bridge::is_kept_from_root(const Port& port) const {
    return port.settings.root_guard && port.info_is == Port::InfoIs::received &&
           port.role == Role::alternate && port.priority.root < root_priority_.root;
}

}  // namespace sluice::rstp
