#include "control/show/credits.h"

#include "config/port/key_parts.h"

namespace sluice::control {

namespace {

bool goes_by_credit(const View& view, PortIndex port) {
    return view.settings.ports[port].flow_control == FlowControl::credit;
}

std::string_view name_of(CreditState state) {
    switch (state) {
        case CreditState::credit:
            return "credit";
        case CreditState::without:
            return "pfc";
        case CreditState::waits:
            return "starting";
        default:
            return "no_link";
    }
}

// Returns the row of one priority, with both directions. Values of a direction are null if the
// priority is not lossless at the receiving end of that direction.
Json row_of(const View& view, PortIndex port, Priority priority) {
    const CreditWatch& watch = view.dataplane.credit(port);
    const CreditWatch::Channel& channel = watch.channel(priority);
    const PortSettings& settings = view.settings.ports[port];
    const bool sends = (watch.lossless_at_peer() & only_priority(priority)) != 0;
    const bool takes = (settings.pfc.lossless & only_priority(priority)) != 0;
    const uint32_t limit = channel.limit.value();
    const uint32_t consumed = channel.consumed.value();
    const bool by_credit = watch.state() == CreditState::credit;
    const auto of = [](bool is, auto value) { return is ? Json(value) : Json(nullptr); };
    return {{"port", view.ports[port].name},
            {"priority", priority},
            {"state", credit_state_of(view, port)},
            {"limit", of(sends, limit)},
            {"consumed", of(sends, consumed)},
            {"available_bytes", of(sends, ahead_of(limit, consumed).count())},
            {"blocked_ns", channel.blocked.value()},
            {"buffer_bytes", of(takes, settings.credit.buffer.count())},
            {"used_bytes", of(takes, channel.occupied.value())},
            {"advertised", of(takes && by_credit, channel.advertised.value())}};
}

}  // namespace

std::string_view name_of(FlowControl control) {
    return config::keys::flow_controls[static_cast<std::size_t>(control)];
}

Json credit_state_of(const View& view, PortIndex port) {
    if (!goes_by_credit(view, port)) return nullptr;
    return name_of(view.dataplane.credit(port).state());
}

std::string_view why_no_credit(const Switch& dataplane, PortIndex port) {
    if (dataplane.credit(port).gave_up()) return "frames waited for credit for 10 s";
    switch (dataplane.credit_peer(port)) {
        case CreditPeer::able:
            return "its peer advertises credit, but is silent, or has no LLDP neighbour yet";
        case CreditPeer::unable:
            return "its LLDP neighbour does not advertise credit";
        case CreditPeer::several:
            return "it has several LLDP neighbours";
        case CreditPeer::no_lldp:
            return "LLDP is disabled";
        default:
            return "it has no LLDP neighbour";
    }
}

Json credits_snapshot(const View& view, bool) {
    Json shown{{"ports", Json::array()}, {"priorities", Json::array()}};
    for (PortIndex port = 0; port < view.dataplane.port_count(); ++port) {
        if (view.ports[port].vacant || !goes_by_credit(view, port)) continue;
        const CreditWatch& watch = view.dataplane.credit(port);
        const bool by_pfc = watch.state() == CreditState::without;
        shown["ports"].push_back(
            {{"port", view.ports[port].name},
             {"state", credit_state_of(view, port)},
             {"why", by_pfc ? why_no_credit(view.dataplane, port) : ""},
             {"quantum_bytes", view.settings.ports[port].credit.quantum.count()},
             {"refresh_ns", view.settings.ports[port].credit.refresh.count()},
             {"updates_sent", watch.updates_sent()},
             {"updates_received", watch.updates_received()},
             {"updates_lost", watch.updates_lost()},
             {"lost_bytes", watch.lost_octets()}});
        const PrioritySet either =
            view.settings.ports[port].pfc.lossless | watch.lossless_at_peer();
        for_each_priority(either, [&](Priority priority) {
            shown["priorities"].push_back(row_of(view, port, priority));
        });
    }
    return shown;
}

}  // namespace sluice::control
