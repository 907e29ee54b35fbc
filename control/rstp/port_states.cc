// The actions of a port: its role, whether it learns and forwards, and its notifications of
// topology changes.
#include <algorithm>

#include "control/rstp/bridge.h"

namespace sluice::rstp {

namespace {

bool is_root_or_designated(const Port& port) {
    return port.role == Role::root || port.role == Role::designated;
}

}  // namespace

// --- port role transitions, 17.29 ---------------------------------------------------------------

bool Bridge::change_role(Port& port) {
    if (!port.selected || port.update_info) return false;
    if (port.role == port.selected_role) {
        switch (port.role) {
            case Role::disabled:
                return keep_disabled(port);
            case Role::root:
                return proceed_as_root(port);
            case Role::designated:
                return proceed_as_designated(port);
            default:
                return proceed_blocked(port);
        }
    }
    port.role = port.selected_role;
    if (port.role == Role::root)
        port.recent_root_while = now_ + port.designated_times.forward_delay;
    if (!is_root_or_designated(port)) port.learn = port.forward = false;
    return true;
}

bool Bridge::keep_disabled(Port& port) {
    if (port.learning || port.forwarding) return false;
    const Nanos delay = now_ + port.designated_times.max_age;
    const bool rests =
        port.forward_delay_while == delay && !port.sync && !port.re_root && port.synced;
    if (rests) return false;
    port.forward_delay_while = delay;
    port.recent_root_while = now_;
    port.synced = true;
    port.sync = port.re_root = false;
    return true;
}

// allSynced, as in 802.1Q: a port whose information is yet to be updated may be synced with its old
// information, and an agreement based on that would open a loop.
bool Bridge::all_synced() const {
    return std::ranges::all_of(ports_, [](const Port& port) {
        return port.selected && port.role == port.selected_role && !port.update_info &&
               (port.synced || port.role == Role::root);
    });
}

// reRooted: whether no other port was the root port recently.
bool Bridge::re_rooted(const Port& port) const {
    return std::ranges::all_of(ports_, [&](const Port& other) {
        return other.index == port.index || over(other.recent_root_while);
    });
}

// forwardDelay (17.20.6).
Nanos Bridge::forward_delay_of(const Port& port) const {
    return port.send_rstp ? port.designated_times.hello : port.designated_times.forward_delay;
}

bool Bridge::proceed_as_root(Port& port) {
    const Nanos recent = now_ + port.designated_times.forward_delay;
    if (port.proposed && !port.agree) {
        for (Port& any : ports_) any.sync = true;
        port.proposed = false;
    } else if ((all_synced() && !port.agree) || (port.proposed && port.agree)) {
        port.proposed = port.sync = false;
        port.agree = true;
        port.new_info = true;
    } else if (port.sync) {
        port.sync = false;  // ROOT_SYNCED of 802.1Q
        port.synced = true;
    } else if (!port.forward && !port.re_root) {
        for (Port& any : ports_) any.re_root = true;
    } else if (port.recent_root_while != recent) {
        port.recent_root_while = recent;
    } else if (port.re_root && port.forward) {
        port.re_root = false;
    } else {
        const bool may = over(port.forward_delay_while) ||
                         (re_rooted(port) && over(port.recent_backup_while) && settings_.rapid);
        if (!may || port.forward) return false;
        if (!port.learn) {
            port.forward_delay_while = now_ + forward_delay_of(port);
            port.learn = true;
        } else {
            port.forward_delay_while = now_;
            port.forward = true;
        }
    }
    return true;
}

bool Bridge::proceed_as_designated(Port& port) {
    const bool is_recent_root = !over(port.recent_root_while);
    const bool is_to_discard =
        (port.sync && !port.synced) || (port.re_root && is_recent_root) || port.disputed;
    const bool opens = !port.learning && !port.forwarding;
    if (!port.forward && !port.agreed && !port.proposing && !port.oper_edge) {
        port.proposing = true;
        port.edge_delay_while = now_ + migrate_time;
        port.new_info = true;
    } else if ((opens && !port.synced) || (port.agreed && !port.synced) ||
               (port.oper_edge && !port.synced) || (port.sync && port.synced)) {
        port.recent_root_while = now_;
        port.synced = true;
        port.sync = false;
    } else if (port.re_root && !is_recent_root) {
        port.re_root = false;
    } else if (is_to_discard && !port.oper_edge && (port.learn || port.forward)) {
        port.learn = port.forward = port.disputed = false;
        port.forward_delay_while = now_ + forward_delay_of(port);
    } else {
        const bool may = (over(port.forward_delay_while) || port.agreed || port.oper_edge) &&
                         (!is_recent_root || !port.re_root) && !port.sync;
        if (!may || port.forward) return false;
        if (!port.learn) {
            port.learn = true;
            port.forward_delay_while = now_ + forward_delay_of(port);
        } else {
            port.forward = true;
            port.forward_delay_while = now_;
            port.agreed = port.send_rstp;
        }
    }
    return true;
}

bool Bridge::proceed_blocked(Port& port) {
    if (port.learning || port.forwarding) return false;
    const Nanos delay = now_ + forward_delay_of(port);
    const Nanos recent_backup = now_ + port.designated_times.hello * 2;
    if (port.proposed && !port.agree) {
        for (Port& any : ports_) any.sync = true;
        port.proposed = false;
    } else if ((all_synced() && !port.agree) || (port.proposed && port.agree)) {
        port.proposed = false;
        port.agree = true;
        port.new_info = true;
    } else if (port.role == Role::backup && port.recent_backup_while != recent_backup) {
        port.recent_backup_while = recent_backup;
    } else if (port.forward_delay_while != delay || port.sync || port.re_root || !port.synced) {
        port.forward_delay_while = delay;
        port.recent_root_while = now_;
        port.synced = true;
        port.sync = port.re_root = false;
    } else {
        return false;
    }
    return true;
}

// --- port state transition, 17.30 ---------------------------------------------------------------

bool Bridge::change_state(Port& port) {
    if (port.learning == port.learn && port.forwarding == port.forward) return false;
    port.learning = port.learn;
    port.forwarding = port.forward;
    return true;
}

// --- topology change, 17.31 ---------------------------------------------------------------------

bool Bridge::change_topology(Port& port) {
    using TopologyChange = Port::TopologyChange;
    const auto forget_received = [&] {
        port.received_tc = port.received_tcn = port.received_tc_ack = port.tc_prop = false;
    };
    const bool any_received =
        port.received_tc || port.received_tcn || port.received_tc_ack || port.tc_prop;
    switch (port.topology_change) {
        case TopologyChange::inactive:
            if (!port.learn) return false;
            forget_received();
            port.topology_change = TopologyChange::learning;
            return true;
        case TopologyChange::learning:
            if (is_root_or_designated(port) && port.forward && !port.oper_edge) {
                start_tc_while(port);
                notice_topology_change(port);
                propagate_topology_change(port);
                port.topology_change = TopologyChange::active;
                return true;
            }
            if (any_received) {
                forget_received();
                return true;
            }
            if (is_root_or_designated(port) || port.learn || port.learning) return false;
            // No flush is requested: the dataplane flushes the port's addresses when it sets the
            // port's state.
            port.tc_while = now_;
            port.tc_ack = false;
            port.topology_change = TopologyChange::inactive;
            return true;
        default:
            if (is_root_or_designated(port) && !port.oper_edge) {
                return any_received && change_topology_actively(port);
            }
            forget_received();
            port.topology_change = TopologyChange::learning;
            return true;
    }
}

bool Bridge::change_topology_actively(Port& port) {
    if (port.received_tcn || port.received_tc) {
        if (port.received_tcn) {
            start_tc_while(port);
            if (port.role == Role::designated) port.tc_ack = true;
        }
        port.received_tcn = port.received_tc = false;
        notice_topology_change(port);
        propagate_topology_change(port);
    } else if (port.tc_prop) {
        start_tc_while(port);
        flushes_ |= only(port.index);
        port.tc_prop = false;
    } else {
        port.tc_while = now_;
        port.received_tc_ack = false;
    }
    return true;
}

// newTcWhile (17.21.7).
void Bridge::start_tc_while(Port& port) {
    if (!over(port.tc_while)) return;
    if (port.send_rstp) {
        port.tc_while = now_ + port.designated_times.hello + one_second;
        port.new_info = true;
    } else {
        port.tc_while = now_ + root_times_.max_age + root_times_.forward_delay;
        port.new_info = true;  // a TCN must not wait for the next hello
    }
}

// A change is signalled for some seconds, in which it counts once.
void Bridge::notice_topology_change(Port& port) {
    if (over(change_lasts_until_)) {
        ++topology_changes_;
        noticed_changes_ |= only(port.index);
    }
    last_change_ = now_;
    change_lasts_until_ = now_ + settings_.times.hello + one_second;
}

void Bridge::propagate_topology_change(const Port& from) {
    for (Port& port : ports_) {
        if (port.index != from.index) port.tc_prop = true;
    }
}

}  // namespace sluice::rstp
