// The information of a port: the protocol of its neighbour, whether there is a neighbour, the
// received information and how long it is valid, and the resulting roles of all ports.
#include <algorithm>
#include <limits>

#include "control/rstp/bridge.h"

namespace sluice::rstp {

namespace {

// Rounds to the nearest second (17.21.23).
Nanos in_whole_seconds(Nanos time) {
    return one_second * ((time.count() + one_second.count() / 2) / one_second.count());
}

}  // namespace

// --- port protocol migration, 17.24 -------------------------------------------------------------

bool Bridge::migrate(Port& port) {
    using Migration = Port::Migration;
    const auto check = [&] {
        port.migration = Migration::checking_rstp;
        port.send_rstp = settings_.rapid;
        port.migration_delay_while = now_ + migrate_time;
    };
    const auto sense = [&] {
        port.migration = Migration::sensing;
        port.received_rstp = port.received_stp = false;
    };
    switch (port.migration) {
        case Migration::checking_rstp:
            if (!port.enabled()) {
                if (port.migration_delay_while == now_ + migrate_time) return false;
                check();
                return true;
            }
            if (!over(port.migration_delay_while)) return false;
            sense();
            return true;
        case Migration::selecting_stp:
            if (!over(port.migration_delay_while) && port.enabled()) return false;
            sense();
            return true;
        default:
            if (!port.enabled() || (settings_.rapid && !port.send_rstp && port.received_rstp)) {
                check();
                return true;
            }
            if (!port.send_rstp || !port.received_stp) return false;
            port.migration = Migration::selecting_stp;
            port.send_rstp = false;
            port.migration_delay_while = now_ + migrate_time;
            return true;
    }
}

// --- bridge detection, 17.25 --------------------------------------------------------------------

bool Bridge::detect_edge(Port& port) {
    if (!port.enabled()) {
        if (port.oper_edge == port.is_admin_edge()) return false;
        port.oper_edge = port.is_admin_edge();
        return true;
    }
    const bool heard_nobody = port.settings.edge == Edge::automatic && port.send_rstp &&
                              port.proposing && over(port.edge_delay_while);
    if (port.oper_edge || !heard_nobody) return false;
    port.oper_edge = true;
    return true;
}

// --- port information, 17.27 --------------------------------------------------------------------

bool Bridge::update_information(Port& port) {
    using InfoIs = Port::InfoIs;
    if (!port.enabled()) {
        if (port.info_is == InfoIs::disabled) return false;
        disable_information(port);
        return true;
    }
    if (port.info_is == InfoIs::disabled) {
        age_information(port);
        return true;
    }
    if (port.selected && port.update_info) {
        const bool same_or_better =
            port.info_is == InfoIs::mine && port.designated <= port.priority;
        port.proposing = port.proposed = false;
        port.agreed = port.agreed && same_or_better;
        port.synced = port.synced && port.agreed;
        port.priority = port.designated;
        port.times = port.designated_times;
        port.update_info = false;
        port.info_is = InfoIs::mine;
        port.new_info = true;
        return true;
    }
    if (port.info_is != InfoIs::received || !over(port.received_info_while)) return false;
    age_information(port);
    return true;
}

void Bridge::disable_information(Port& port) {
    port.proposing = port.proposed = port.agree = port.agreed = port.disputed = false;
    port.received_info_while = now_;
    port.info_is = Port::InfoIs::disabled;
    port.reselect = true;
    port.selected = false;
}

void Bridge::age_information(Port& port) {
    port.info_is = Port::InfoIs::aged;
    port.reselect = true;
    port.selected = false;
}

// Takes a BPDU (rcvInfo of 17.21.8) and sets the state that it leads to.
void Bridge::receive_information(Port& port, const Bpdu& bpdu) {
    if (bpdu.kind == BpduKind::topology_change) {
        port.received_tcn = true;
        return;
    }
    const auto set_tc_flags = [&] {
        port.received_tc |= bpdu.topology_change;
        port.received_tc_ack |= bpdu.topology_change_ack;
    };
    if (bpdu.role != MessageRole::designated) {
        if (bpdu.priority < port.priority) return;  // OtherInfo: ignored
        record_agreement(port, bpdu);
        set_tc_flags();
        return;
    }
    const PriorityVector own{.root = {}, .cost = 0, .bridge = id(), .port = port.id};
    if (same_designated_port(bpdu.priority, own)) {
        port.disputed = true;  // the port receives its own frames
        port.agreed = false;
        return;
    }
    const bool is_superior =
        bpdu.priority < port.priority || (same_designated_port(bpdu.priority, port.priority) &&
                                          port.info_is == Port::InfoIs::received);
    const bool is_repeated = port.info_is == Port::InfoIs::received &&
                             bpdu.priority == port.priority && bpdu.times == port.times;
    if (is_repeated) {
        port.proposed |= bpdu.proposal;
        set_tc_flags();
        start_received_info(port);
    } else if (is_superior) {
        record_superior(port, bpdu);
        set_tc_flags();
    } else if (bpdu.learning) {
        port.disputed = true;  // recordDispute, 17.21.10: the neighbour does not hear us
        port.agreed = false;
    }
}

void Bridge::record_superior(Port& port, const Bpdu& bpdu) {
    port.agreed = port.proposing = false;
    port.proposed |= bpdu.proposal;
    port.agree =
        port.agree && port.info_is == Port::InfoIs::received && bpdu.priority <= port.priority;
    port.priority = bpdu.priority;
    port.times = bpdu.times;
    port.times.hello = std::max(bpdu.times.hello, one_second);
    port.info_is = Port::InfoIs::received;
    start_received_info(port);
    port.reselect = true;
    port.selected = false;
}

void Bridge::record_agreement(Port& port, const Bpdu& bpdu) const {
    port.agreed = settings_.rapid && bpdu.agreement;
    if (port.agreed) port.proposing = false;
}

// updtRcvdInfoWhile (17.21.23): ignores information that crossed too many bridges.
void Bridge::start_received_info(Port& port) {
    const Nanos age = in_whole_seconds(port.times.message_age + one_second);
    const bool is_young = age <= port.times.max_age;
    port.received_info_while = is_young ? now_ + port.times.hello * 3 : now_;
}

// --- port role selection, 17.28 -----------------------------------------------------------------

bool Bridge::select_roles() {
    if (std::ranges::none_of(ports_, &Port::reselect)) return false;
    root_priority_ = {.root = id(), .cost = 0, .bridge = id(), .port = {}};
    root_times_ = settings_.times;
    const Port* root = nullptr;
    for (const Port& port : ports_) {
        if (port.info_is != Port::InfoIs::received || port.settings.root_guard) continue;
        if (port.priority.bridge.address() == settings_.address) continue;
        PriorityVector path = port.priority;
        path.cost += std::min(port.settings.cost, std::numeric_limits<uint32_t>::max() - path.cost);
        const bool same_path = root != nullptr && path == root_priority_;
        if (path < root_priority_ || (same_path && port.id < root->id)) {
            root_priority_ = path;
            root = &port;
        }
    }
    if (root != nullptr) {
        root_times_ = root->times;
        root_times_.message_age = in_whole_seconds(root->times.message_age + one_second);
    }
    for (Port& port : ports_) {
        port.reselect = false;
        select_role_of(port, root);
        port.selected = true;
    }
    return true;
}

// updtRolesTree (17.21.25) for one port.
void Bridge::select_role_of(Port& port, const Port* root) {
    port.designated = {
        .root = root_priority_.root, .cost = root_priority_.cost, .bridge = id(), .port = port.id};
    port.designated_times = root_times_;
    port.designated_times.hello = settings_.times.hello;
    port.update_info = false;
    port.selected_role = Role::designated;
    switch (port.info_is) {
        case Port::InfoIs::disabled:
            port.selected_role = Role::disabled;
            break;
        case Port::InfoIs::aged:
            port.update_info = true;
            break;
        case Port::InfoIs::mine:
            port.update_info =
                port.priority != port.designated || port.times != port.designated_times;
            break;
        default:
            if (&port == root) {
                port.selected_role = Role::root;
            } else if (port.designated < port.priority) {
                port.update_info = true;
            } else {
                const bool is_own = port.priority.bridge.address() == settings_.address;
                port.selected_role = is_own ? Role::backup : Role::alternate;
            }
    }
}

}  // namespace sluice::rstp
