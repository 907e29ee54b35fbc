#include "control/show/noun_snapshots.h"

#include "control/show/dcbx_text.h"

namespace sluice::control {

namespace {

Json priorities_of(PrioritySet priorities) {
    Json list = Json::array();
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if ((priorities & only_priority(priority)) != 0) list.push_back(priority);
    }
    return list;
}

Json json_of(const dcbx::Ets& ets) {
    Json classes = Json::array();
    for (std::size_t number = 0; number < dcbx::traffic_classes; ++number) {
        PrioritySet priorities = 0;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            if (ets.class_of[priority] == number) priorities |= only_priority(priority);
        }
        if (priorities == 0) continue;
        classes.push_back({{"class", number},
                           {"priorities", priorities_of(priorities)},
                           {"selection", name(ets.selection[number])},
                           {"bandwidth", ets.bandwidth[number]}});
    }
    return classes;
}

Json json_of(const dcbx::ApplicationTable& table) {
    Json applications = Json::array();
    for (const dcbx::Application& entry : table) {
        applications.push_back({{"selector", name(entry.selector)},
                                {"protocol", entry.protocol},
                                {"priority", entry.priority}});
    }
    return applications;
}

Json json_of(PrioritySet priorities) { return priorities_of(priorities); }
Json json_of(const dcbx::Classes& classes) { return classes.count; }

Json json_of(const dcbx::FeatureValue& value) {
    return std::visit([](const auto& known) { return json_of(known); }, value);
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
    return value ? Json(*value) : Json();
}

Json faults_of(const dcbx::FaultCounters& faults) {
    Json counts = Json::object();
    for (std::size_t index = 0; index < dcbx::fault_names.size(); ++index) {
        const auto fault = static_cast<dcbx::Fault>(index);
        if (faults[fault] > 0) counts[std::string(name(fault))] = faults[fault];
    }
    return counts;
}

// Returns the names of the faults in the peer's last frame.
Json peer_faults_of(const dcbx::Agent& agent) {
    Json names = Json::array();
    for (std::size_t index = 0; index < dcbx::fault_names.size(); ++index) {
        const auto fault = static_cast<dcbx::Fault>(index);
        if (agent.present_faults()[fault] > 0) names.push_back(name(fault));
    }
    return names;
}

// Returns the operational PFC as text, with the priorities that are discarded (defence) or held for
// the peer, and whether the peer's setting was refused for lack of buffer.
std::string text_of_pfc(const dcbx::Agent& agent) {
    const dcbx::Operational& holds = agent.operational();
    std::string text = text_of(holds.pfc);
    if (holds.defence != 0) text += "; discards " + text_of(holds.defence);
    if (holds.held != 0) text += "; holds " + text_of(holds.held);
    if (agent.refuses_pfc()) text += "; no room for the peer's";
    return text;
}

Json text_of_peer(const dcbx::FeatureStatus& row) {
    if (!row.peer) return {};
    std::string text = text_of(*row.peer);
    if (row.peer_enabled == false) text += "; off";
    if (row.peer_error == true) text += "; in error";
    if (row.peer_defences.value_or(0) != 0) text += "; discards " + text_of(*row.peer_defences);
    if (row.peer_ready.value_or(0) != 0) text += "; ready " + text_of(*row.peer_ready);
    return text;
}

// Adds the peer's capabilities that the dialect can express. Only IEEE has CBS and MBC. The drafts
// have a separate TLV for the number of classes, and so a separate row.
void add_abilities(Json& shown, const dcbx::FeatureStatus& row, dcbx::Dialect dialect) {
    const bool ieee = dialect == dcbx::Dialect::ieee;
    const auto known = [](bool says, auto value) { return says ? Json(value) : Json(); };
    const dcbx::Ets* const ets = row.peer ? std::get_if<dcbx::Ets>(&*row.peer) : nullptr;
    const bool has_classes = ets != nullptr && dialect != dcbx::Dialect::draft0409;
    const dcbx::Ets bandwidth = ets != nullptr ? *ets : dcbx::Ets{};
    shown["peer_max_classes"] = known(has_classes, bandwidth.max_classes);
    shown["peer_credit_based_shaper"] =
        known(ets != nullptr && ieee, bandwidth.credit_based_shaper);
    const dcbx::Pfc pfc = row.peer_pfc.value_or(dcbx::Pfc{});
    shown["peer_pfc_capability"] = known(row.peer_pfc.has_value(), pfc.capability);
    shown["peer_macsec_bypass"] = known(row.peer_pfc && ieee, pfc.macsec_bypass);
    const auto priorities = [](const std::optional<PrioritySet>& set) {
        return set ? priorities_of(*set) : Json();
    };
    shown["peer_defences"] = priorities(row.peer_defences);
    shown["peer_ready"] = priorities(row.peer_ready);
    shown["recommended"] = row.recommended ? json_of(*row.recommended) : Json();
    shown["recommended_text"] = row.recommended ? Json(text_of(*row.recommended)) : Json();
}

int64_t seconds(Nanos time) { return time.count() / 1'000'000'000; }

}  // namespace

Json dcbx_snapshot(const View& view, bool) {
    Json rows = Json::array();
    for (std::size_t port = 0; port < view.dcbx.size(); ++port) {
        const dcbx::Agent& agent = view.dcbx[port];
        const Json faults = faults_of(agent.faults());
        for (const dcbx::FeatureStatus& row : agent.status()) {
            const auto since = agent.mismatch_since(row.feature);
            const bool pfc = row.feature == dcbx::Feature::pfc;
            Json& shown = rows.emplace_back(Json{
                {"port", view.ports[port].name},
                {"mode", name(agent.mode())},
                {"dialect", name(agent.dialect())},
                {"peers", agent.peers()},
                {"feature", name(row.feature)},
                {"willing", row.willing},
                {"peer_willing", or_null(row.peer_willing)},
                {"peer_enabled", or_null(row.peer_enabled)},
                {"peer_error", or_null(row.peer_error)},
                {"oper", json_of(row.oper)},
                {"oper_text", pfc ? text_of_pfc(agent) : text_of(row.oper)},
                {"peer", row.peer ? json_of(*row.peer) : Json()},
                {"peer_text", text_of_peer(row)},
                {"from_peer", row.from_peer},
                {"lacks_room", pfc && agent.refuses_pfc()},
                {"defence", pfc ? priorities_of(agent.operational().defence) : Json()},
                {"held", pfc ? priorities_of(agent.operational().held) : Json()},
                {"pending", row.pending},
                {"mismatch", row.mismatch.has_value()},
                {"mismatch_reason", row.mismatch ? Json(name(*row.mismatch)) : Json()},
                {"mismatch_s", since ? Json(seconds(view.now - *since)) : Json()},
                {"mismatches", agent.mismatches(row.feature)},
                {"faults", faults},
                {"fault_count", agent.faults().total()},
                {"peer_faults", peer_faults_of(agent)},
            });
            add_abilities(shown, row, agent.dialect());
        }
    }
    return rows;
}

}  // namespace sluice::control
