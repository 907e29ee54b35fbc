// Port: the variables of one port of the tree (802.1D-2004 17.17 to 17.19). Comments have the
// standard's names if those are shorter. A timer is the time at which it expires. bridge.h lists
// which machine changes which variable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "control/rstp/bpdu.h"
#include "control/rstp/priority_vector.h"
#include "dataplane/types/enum_count.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::rstp {

enum class Role : uint8_t { disabled, root, designated, alternate, backup, last = backup };
enum class State : uint8_t { discarding, learning, forwarding, last = forwarding };
constexpr std::string_view name_of(Role role) {
    constexpr std::array<std::string_view, 5> names = {"disabled", "root", "designated",
                                                       "alternate", "backup"};
    static_assert(names.size() == count_of<Role>);
    return names[static_cast<std::size_t>(role)];
}
constexpr std::string_view name_of(State state) {
    constexpr std::array<std::string_view, 3> names = {"discarding", "learning", "forwarding"};
    static_assert(names.size() == count_of<State>);
    return names[static_cast<std::size_t>(state)];
}
// Whether a port leads only to hosts: detected (AutoEdge), configured (AdminEdge), or neither.
enum class Edge : uint8_t { automatic, on, off };

struct PortSettings {
    uint32_t cost = 20'000;  // PortPathCost
    uint8_t priority = 128;  // a multiple of 16
    Edge edge = Edge::automatic;
    bool root_guard = false;   // restrictedRole of 802.1Q: never the root port
    bool bpdu_guard = false;   // a BPDU shuts the port
    bool bpdu_filter = false;  // the port neither sends nor uses BPDUs
    // Time without a BPDU after which a shut port opens; 0: the port opens only when its link goes
    // down.
    Nanos recovery{0};

    friend bool operator==(const PortSettings&, const PortSettings&) = default;
};

struct PortCounts {
    uint64_t bpdus_in = 0;
    uint64_t bpdus_out = 0;
    uint64_t topology_changes_in = 0;  // TCN BPDUs, and BPDUs with the topology change flag
    uint64_t damaged_in = 0;           // frames that are no BPDU, or of an unknown type
    uint64_t filtered_in = 0;          // BPDUs that bpdu_filter ignored
};

struct Port {
    enum class InfoIs : uint8_t { disabled, aged, mine, received };
    enum class Migration : uint8_t { checking_rstp, selecting_stp, sensing };
    enum class TopologyChange : uint8_t { inactive, learning, active };

    [[nodiscard]] State state() const {
        if (forwarding) return State::forwarding;
        return learning ? State::learning : State::discarding;
    }
    // portEnabled of the standard.
    [[nodiscard]] bool enabled() const { return link && !guarded; }
    [[nodiscard]] bool is_admin_edge() const { return settings.edge == Edge::on; }

    PortIndex index = 0;
    PortSettings settings;
    PortId id;
    bool link = false;
    bool guarded = false;  // shut, because a BPDU was received
    Nanos last_bpdu;
    PortCounts counts;

    // Port information, and flags of the last BPDU.
    InfoIs info_is = InfoIs::disabled;
    PriorityVector priority;  // portPriority
    Times times;              // portTimes
    PriorityVector designated;
    Times designated_times;
    bool received_tc = false;      // rcvdTc
    bool received_tcn = false;     // rcvdTcn
    bool received_tc_ack = false;  // rcvdTcAck
    bool received_rstp = false;    // rcvdRSTP
    bool received_stp = false;     // rcvdSTP

    // Proposal and agreement.
    bool agree = false;
    bool agreed = false;
    bool proposed = false;
    bool proposing = false;
    bool sync = false;
    bool synced = false;
    bool re_root = false;
    bool disputed = false;

    // Roles and states.
    Role role = Role::disabled;
    Role selected_role = Role::disabled;
    bool reselect = true;
    bool selected = false;
    bool update_info = false;  // updtInfo
    bool learn = false;
    bool learning = false;
    bool forward = false;
    bool forwarding = false;

    bool oper_edge = false;
    Migration migration = Migration::checking_rstp;
    bool send_rstp = true;
    TopologyChange topology_change = TopologyChange::inactive;
    bool tc_prop = false;
    bool tc_ack = false;
    bool new_info = true;
    unsigned sent_of_late = 0;  // txCount

    Nanos edge_delay_while;
    Nanos forward_delay_while;  // fdWhile
    Nanos hello_when;
    Nanos migration_delay_while;  // mdelayWhile
    Nanos recent_backup_while;    // rbWhile
    Nanos received_info_while;    // rcvdInfoWhile
    Nanos recent_root_while;      // rrWhile
    Nanos tc_while;

    // State at the last call of `take_changes`.
    Role reported_role = Role::disabled;
    State reported_state = State::discarding;
    bool reported_guarded = false;
    bool reported_kept_from_root = false;
};

}  // namespace sluice::rstp
