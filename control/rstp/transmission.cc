// The BPDUs that a port sends (802.1D-2004 17.26 and 17.21.19 to 17.21.21).
#include "control/rstp/bridge.h"

namespace sluice::rstp {

namespace {

MessageRole message_role_of(Role role) {
    if (role == Role::root) return MessageRole::root;
    return role == Role::designated ? MessageRole::designated : MessageRole::alternate_or_backup;
}

}  // namespace

// Returns empty if the port has nothing to send in its protocol, even if information is new.
std::optional<Bpdu> Bridge::bpdu_due(const Port& port) const {
    const bool tells_of_change = !over(port.tc_while);
    if (port.send_rstp) {
        return Bpdu{.kind = BpduKind::rst,
                    .role = message_role_of(port.role),
                    .topology_change = tells_of_change,
                    .proposal = port.proposing,
                    .learning = port.learning,
                    .forwarding = port.forwarding,
                    .agreement = port.agree,
                    .priority = port.designated,
                    .times = port.designated_times};
    }
    if (port.role == Role::designated) {
        return Bpdu{.kind = BpduKind::configuration,
                    .topology_change = tells_of_change,
                    .topology_change_ack = port.tc_ack,
                    .priority = port.designated,
                    .times = port.designated_times};
    }
    if (port.role != Role::root || !tells_of_change) return {};
    return Bpdu{.kind = BpduKind::topology_change};
}

void Bridge::transmit(Nanos now, const Send& send) {
    set_time(now);
    for (Port& port : ports_) {
        if (!port.enabled() || port.settings.bpdu_filter) continue;
        if (!port.selected || port.update_info) continue;
        if (over(port.hello_when)) {
            port.new_info |=
                port.role == Role::designated || (port.role == Role::root && !over(port.tc_while));
            port.hello_when = now_ + port.designated_times.hello;
        }
        if (!port.new_info || port.sent_of_late >= settings_.hold_count) continue;
        const std::optional<Bpdu> bpdu = bpdu_due(port);
        if (!bpdu) {
            port.new_info = false;
            continue;
        }
        if (!send(port.index, *bpdu)) continue;
        port.new_info = false;
        port.tc_ack = false;
        ++port.sent_of_late;
        ++port.counts.bpdus_out;
    }
}

}  // namespace sluice::rstp
