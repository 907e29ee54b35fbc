#include "control/rstp/manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/yaml/values.h"
#include "control/bridge_address.h"

namespace sluice::control {

using rstp::ChangeKind;

namespace {

constexpr int64_t cost_times_speed = 20'000'000'000'000;  // by table 17-3, cost = this / speed
constexpr int64_t highest_cost = 200'000'000;
constexpr BitsPerSecond unknown_speed{10'000'000'000};

rstp::BridgeSettings bridge_settings_of(const config::SpanningTreeConfig& config,
                                        MacAddress address) {
    return {.address = address,
            .priority = config.priority,
            .rapid = config.mode == config::SpanningTreeMode::rstp,
            .times = {.max_age = config.max_age,
                      .hello = config.hello,
                      .forward_delay = config.forward_delay},
            .hold_count = config.hold_count};
}

std::string bridge_text(rstp::BridgeId id) {
    return fmt::format("{} of priority {}", config::format_address(id.address()), id.priority());
}

}  // namespace

uint32_t path_cost_of(BitsPerSecond speed) {
    const BitsPerSecond known = speed.count() > 0 ? speed : unknown_speed;
    return static_cast<uint32_t>(
        std::clamp<int64_t>(cost_times_speed / known.count(), 1, highest_cost));
}

RstpManager::RstpManager(Switch& dataplane, const config::Configuration& configuration,
                         EventSink& events)
    : dataplane_(dataplane),
      events_(events),
      address_(bridge_address(configuration)),
      speeds_(configuration.ports.size()) {
    set_up(configuration, Nanos(0));
    if (bridge_) bridge_->take_changes();  // discards the initial changes
}

RstpManager::BridgePorts RstpManager::bridge_ports_of(const config::Configuration& configuration) {
    BridgePorts ports;
    const Aggregations aggregations(configuration.settings.aggregations);
    for (PortIndex port = 0; port < configuration.ports.size(); ++port) {
        if (configuration.ports[port].vacant || !configuration.settings.ports[port].spanning_tree) {
            continue;
        }
        BridgePort& self = ports[aggregations.bridge_port(port)];
        if (self.members == 0) {
            const config::PortConfig& about = configuration.ports[port];
            self.config = about.spanning_tree;
            self.name = about.aggregation.empty() ? about.name : about.aggregation;
        }
        self.members |= only(port);
    }
    return ports;
}

void RstpManager::prepare(const config::Configuration& next) {
    PortSet coming = 0;
    if (next.spanning_tree.mode == config::SpanningTreeMode::off) return;
    const BridgePorts ports = bridge_ports_of(next);
    for (PortIndex port = 0; port < max_ports; ++port) {
        if (ports[port].members != ports_[port].members) coming |= ports[port].members;
    }
    update_dataplane(coming);
}

void RstpManager::configure(const config::Configuration& configuration, Nanos now) {
    set_up(configuration, now);
    report(now);
}

void RstpManager::set_up(const config::Configuration& configuration, Nanos now) {
    addresses_.clear();
    for (const PortSettings& port : configuration.settings.ports) {
        addresses_.push_back(port.address);
    }
    const config::SpanningTreeConfig& config = configuration.spanning_tree;
    if (config.mode == config::SpanningTreeMode::off) {
        ports_ = {};
        bridge_.reset();
        return update_dataplane();
    }
    const BridgePorts before = std::exchange(ports_, bridge_ports_of(configuration));
    const rstp::BridgeSettings settings = bridge_settings_of(config, address_);
    if (bridge_) {
        bridge_->configure(settings, now);
    } else {
        bridge_.emplace(settings);
    }
    for (PortIndex port = 0; port < max_ports; ++port) {
        const BridgePort& self = ports_[port];
        const bool is_another = before[port].members != self.members;
        if (is_another && before[port].members != 0) bridge_->remove_port(port, now);
        if (self.members != 0) bridge_->set_port(port, settings_of(self), now);
    }
    advance(now);
}

// Returns the settings of a port. The speed of an aggregation is the sum over all its members, with
// link or not: so a member that loses its link does not change the tree.
rstp::PortSettings RstpManager::settings_of(const BridgePort& port) const {
    BitsPerSecond speed(0);
    for_each_port(port.members, [&](PortIndex member) {
        speed += speeds_[member].count() > 0 ? speeds_[member] : unknown_speed;
    });
    const config::PortSpanningTreeConfig& config = port.config;
    return {.cost = config.cost != 0 ? config.cost : path_cost_of(speed),
            .priority = config.priority,
            .edge = static_cast<rstp::Edge>(config.edge),
            .root_guard = config.root_guard,
            .bpdu_guard = config.bpdu_guard,
            .bpdu_filter = config.bpdu_filter,
            .recovery = config.recovery};
}

void RstpManager::set_link(PortIndex port, Link link, Nanos now) {
    if (link.speed.count() > 0) speeds_[port] = link.speed;
    if (!bridge_) return;
    const auto self = std::ranges::find_if(
        ports_, [&](const BridgePort& one) { return (one.members & only(port)) != 0; });
    if (self == ports_.end()) return;
    bridge_->set_port(static_cast<PortIndex>(self - ports_.begin()), settings_of(*self), now);
    tick(now);
}

void RstpManager::tick(Nanos now) {
    advance(now);
    report(now);
}

// Bridges that repair a tree exchange BPDUs in turn, and each BPDU waits up to one period.
std::chrono::milliseconds RstpManager::period() const {
    return std::chrono::milliseconds(bridge_ ? 10 : 0);
}

void RstpManager::advance(Nanos now) {
    if (!bridge_) return;
    const PortSet carriers = dataplane_.carriers();
    for (const rstp::Port& port : bridge_->ports()) {
        bridge_->set_link(port.index, (ports_[port.index].members & carriers) != 0, now);
    }
    receive(now);
    bridge_->advance(now);
    // The dataplane is updated before a neighbour is notified that it may open its port.
    update_dataplane();
    send(now);
}

void RstpManager::receive(Nanos now) {
    for (PortIndex port = 0; port < max_ports; ++port) {
        for_each_port(ports_[port].members, [&](PortIndex member) {
            Mailbox& box = dataplane_.received(member, ControlProtocol::bpdu);
            for (uint32_t frames = 0; frames < Mailbox::slots && !box.front().empty(); ++frames) {
                bridge_->receive(port, box.front(), now);
                box.pop();
            }
        });
    }
}

void RstpManager::send(Nanos now) {
    const PortSet carriers = dataplane_.carriers();
    bridge_->transmit(now, [&](PortIndex port, const rstp::Bpdu& bpdu) {
        const PortSet members = ports_[port].members & carriers;
        if (members == 0) return false;
        const PortIndex member = first_of(members);
        return dataplane_.send_for_control(member, frame_of(bpdu, addresses_[member]));
    });
}

PortSet RstpManager::members_in(rstp::State state) const {
    PortSet members = 0;
    for_each_port(bridge_->in_state(state),
                  [&](PortIndex port) { members |= ports_[port].members; });
    return members;
}

// Sets the port states in the dataplane. `held`: further ports that discard for now.
void RstpManager::update_dataplane(PortSet held) {
    if (!bridge_) return dataplane_.set_spanning_tree(held, 0);
    const PortSet learning = members_in(rstp::State::learning) & ~held;
    dataplane_.set_spanning_tree(members_in(rstp::State::discarding) | learning | held, learning);
    for_each_port(bridge_->take_flushes(),
                  [&](PortIndex port) { dataplane_.flush_fdb_port(port); });
}

// --- events -------------------------------------------------------------------------------------

void RstpManager::report(Nanos now) {
    if (!bridge_) return;
    for (const rstp::Change& change : bridge_->take_changes()) {
        events_.report(event_of(change), now);
    }
}

Event RstpManager::event_of(const rstp::Change& change) const {
    const Where where(change.port, ports_[change.port].name);
    const rstp::Port* const port = bridge_->port(change.port);
    const std::string root = bridge_text(bridge_->root());
    switch (change.what) {
        case ChangeKind::root:
            if (bridge_->is_root()) {
                return notice("stp_root", {}, "this switch is the root of the spanning tree");
            }
            return notice("stp_root", {},
                          fmt::format("the root of the spanning tree is {}, by {}", root,
                                      ports_[bridge_->root_port().value_or(0)].name));
        case ChangeKind::topology_change:
            return notice("stp_topology_change", where,
                          "topology change: learned addresses of other ports are flushed");
        case ChangeKind::guard_shut:
            return warning(
                "stp_bpdu_guard", where,
                fmt::format(
                    "BPDU guard: a BPDU was received; the port is shut until its link goes down{}",
                    port->settings.recovery.count() > 0
                        ? fmt::format(" or no BPDU was received for {}",
                                      config::format_time(port->settings.recovery.count()))
                        : ""));
        case ChangeKind::guard_over:
            return notice("stp_bpdu_guard_over", where, "BPDU guard: the port is open again");
        case ChangeKind::root_refused:
            return warning(
                "stp_root_guard", where,
                fmt::format("root guard: superior BPDUs from {}; the port discards until they end",
                            bridge_text(port->priority.root)));
        case ChangeKind::root_refused_over:
            return notice("stp_root_guard_over", where, "root guard: no more superior BPDUs");
        default:
            return notice("stp_port", where,
                          fmt::format("{} port, {}", name_of(port->role), name_of(port->state())));
    }
}

}  // namespace sluice::control
