#include "control/show/noun_snapshots.h"

#include <array>
#include <string_view>

#include "dataplane/types/enum_count.h"

namespace sluice::control {

namespace {

// Names of the bits of the actor and partner state, lowest bit first, as in 802.1AX and tshark.
constexpr std::array<std::string_view, 8> state_names = {
    "activity",   "timeout",      "aggregation", "synchronization",
    "collecting", "distributing", "defaulted",   "expired"};
constexpr std::array<std::string_view, 4> receive_names = {"port_disabled", "expired", "defaulted",
                                                           "current"};
static_assert(receive_names.size() == count_of<lacp::ReceiveMachine::State>);
constexpr std::array<std::string_view, 5> mux_names = {"detached", "waiting", "attached",
                                                       "collecting", "distributing"};
static_assert(mux_names.size() == count_of<lacp::MuxMachine::State>);
constexpr std::array<std::string_view, 12> reasons = {
    "",          "link_down",   "no_partner", "own_system", "individual",  "other_partner",
    "other_key", "other_speed", "waits",      "silent",     "out_of_sync", "not_collecting"};
static_assert(reasons.size() == count_of<lacp::Reason>);

template <class Names, class Value>
std::string_view name_in(const Names& names, Value value) {
    return names[static_cast<std::size_t>(value)];
}

Json names_of(lacp::State state) {
    Json names = Json::array();
    for (std::size_t bit = 0; bit < state_names.size(); ++bit) {
        if ((state >> bit & 1) != 0) names.push_back(state_names[bit]);
    }
    return names;
}

// Returns null if no LACPDU of the partner was received.
template <class Value>
Json if_known(const lacp::Port& port, Value value) {
    return port.knows_partner() ? Json(value) : Json();
}

Json row_of(const View& view, const lacp::Aggregator& aggregator,
            const lacp::Aggregator::Member& member) {
    const PortView& about = view.ports[member.number];
    const lacp::Port& port = member.port;
    const lacp::PortInfo& partner = port.partner();
    const lacp::Statistics& counts = port.statistics();
    return {
        {"aggregation", about.aggregation},
        {"port", about.name},
        {"mode", aggregator.settings().active ? "active" : "passive"},
        {"timeout", aggregator.settings().short_timeout ? "short" : "long"},
        {"selected", port.selected()},
        {"attached", member.attached},
        {"reason", name_in(reasons, member.why)},
        {"receive_machine", name_in(receive_names, port.receive_machine().state())},
        {"mux_machine", name_in(mux_names, port.mux().state())},
        {"actor_system", to_text(port.actor().system)},
        {"actor_system_priority", port.actor().system_priority},
        {"actor_key", port.actor().key},
        {"actor_port", port.actor().port},
        {"actor_state", names_of(port.actor().state)},
        {"partner_system", if_known(port, to_text(partner.system))},
        {"partner_system_priority", if_known(port, partner.system_priority)},
        {"partner_key", if_known(port, partner.key)},
        {"partner_port", if_known(port, partner.port)},
        {"partner_state", if_known(port, names_of(partner.state))},
        {"lacpdus_in", counts.lacpdus_in},
        {"lacpdus_out", counts.lacpdus_out},
        {"markers_in", counts.markers_in},
        {"marker_responses_out", counts.marker_responses_out},
        {"unknown_in", counts.unknown_in},
        {"illegal_in", counts.illegal_in},
    };
}

}  // namespace

Json lacp_snapshot(const View& view, bool) {
    Json rows = Json::array();
    for (const lacp::Aggregator& aggregator : view.aggregators) {
        for (const lacp::Aggregator::Member& member : aggregator.members()) {
            rows.push_back(row_of(view, aggregator, member));
        }
    }
    return rows;
}

}  // namespace sluice::control
