// Bridge: the Rapid Spanning Tree Protocol of one switch (802.1Q clause 13 with one instance, which
// is 802.1D-2004 clause 17; clause numbers below are of the latter): which ports forward, so that
// all bridges of a network are one tree.
//
// Each machine is a function that takes one of its transitions, or none:
//   bridge.cc            port receive (17.23), and functions that belong to no machine
//   port_information.cc  port protocol migration (17.24), bridge detection (17.25), port
//                        information (17.27), port role selection (17.28)
//   port_states.cc       port role transitions (17.29), port state transition (17.30), topology
//                        change (17.31)
//   transmission.cc      port transmit (17.26)
// After a BPDU, a change of link or a timer the machines run until none has a transition to take;
// only after that are port states and due BPDUs returned. So a port is closed before a neighbour is
// notified. Timers are points in time; they expire when due, not with the next second.
// Beyond the standard: BPDU guard (a BPDU shuts the port) and filter (BPDUs are neither sent nor
// used); a port that receives its own BPDU is disputed, and discards while it is; addresses are
// flushed at a topology change under STP as well, where the standard ages them by the forward
// delay.
// Pure: no clock, no sockets, no threads, no logging.
// Bound: O(ports) a transition, and some transitions of each port an event; at most hold_count + 1
// BPDUs a second at a port.
// Left out: shared media (every link counts as point-to-point), MSTP, layer two gateway ports,
// restrictedTcn.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "control/rstp/bpdu.h"
#include "control/rstp/port.h"
#include "control/rstp/priority_vector.h"
#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::rstp {

inline constexpr Nanos migrate_time{3'000'000'000};

struct BridgeSettings {
    MacAddress address;
    uint16_t priority = 32768;  // a multiple of 4096
    bool rapid = true;          // false: STP (ForceProtocolVersion 0)
    Times times;                // times that the bridge sends as root; `message_age` is 0
    unsigned hold_count = 6;    // TxHoldCount

    friend bool operator==(const BridgeSettings&, const BridgeSettings&) = default;
};

enum class ChangeKind : uint8_t {
    root,             // the root bridge has changed
    port,             // the port's role or state has changed
    topology_change,  // detected at this bridge, or signalled by a neighbour
    guard_shut,       // a port with BPDU guard received a BPDU
    guard_over,
    root_refused,  // a port with root guard receives a better root, and is kept from its role
    root_refused_over,
};
struct Change {
    ChangeKind what = ChangeKind::port;
    PortIndex port = 0;  // unused for `root`
};

class Bridge {
  public:
    explicit Bridge(const BridgeSettings& settings) : settings_(settings) {}

    // --- inputs ---------------------------------------------------------------------------------
    // Sets the settings of the bridge. A change of the protocol restarts the bridge; another
    // priority or other times do not.
    void configure(const BridgeSettings& settings, Nanos now);
    // Adds a port, or changes its settings. The number in its identifier is `index` + 1.
    void set_port(PortIndex index, const PortSettings& settings, Nanos now);
    void remove_port(PortIndex index, Nanos now);
    void set_link(PortIndex index, bool up, Nanos now);
    // Takes a whole frame whose destination is the bridge group address.
    void receive(PortIndex index, std::span<const uint8_t> frame, Nanos now);
    // Applies timers that have expired.
    void advance(Nanos now);

    // --- outputs --------------------------------------------------------------------------------
    // Passes each BPDU that is due to `send`, which returns whether it was sent. A BPDU that was
    // not sent stays due.
    using Send = std::function<bool(PortIndex, const Bpdu&)>;
    void transmit(Nanos now, const Send& send);
    // Returns the ports whose learned addresses have to be flushed, and clears that set.
    [[nodiscard]] PortSet take_flushes();
    // Returns the differences between the state at the last call and the state now.
    std::vector<Change> take_changes();
    // Returns the ports of the tree in this state.
    [[nodiscard]] PortSet in_state(State state) const;

    // --- state ------------------------------------------------------------------------------
    [[nodiscard]] const BridgeSettings& settings() const { return settings_; }
    [[nodiscard]] BridgeId id() const { return bridge_id(settings_.priority, settings_.address); }
    [[nodiscard]] BridgeId root() const { return root_priority_.root; }
    [[nodiscard]] bool is_root() const { return root() == id(); }
    [[nodiscard]] uint32_t root_cost() const { return root_priority_.cost; }
    [[nodiscard]] const Times& root_times() const { return root_times_; }
    [[nodiscard]] std::optional<PortIndex> root_port() const;
    [[nodiscard]] std::span<const Port> ports() const { return ports_; }
    [[nodiscard]] const Port* port(PortIndex index) const;
    [[nodiscard]] uint64_t topology_changes() const { return topology_changes_; }
    // Returns the time of the last topology change; empty: there was none.
    [[nodiscard]] std::optional<Nanos> last_topology_change() const { return last_change_; }
    // Whether root guard keeps the port from its role, because the port received a better root than
    // that of this bridge.
    [[nodiscard]] bool is_kept_from_root(const Port& port) const;

  private:
    [[nodiscard]] Port* find(PortIndex index);
    void set_time(Nanos now);
    // Whether the tree is consistent once no machine has a transition to take: at most one root
    // port, and no forwarding port whose role forbids that.
    [[nodiscard]] bool is_consistent() const;
    [[nodiscard]] bool over(Nanos timer) const { return now_ >= timer; }
    void run();
    void reselect_all();
    void begin(Port& port);

    // Each returns whether it made a transition.
    bool migrate(Port& port);
    bool detect_edge(Port& port);
    bool update_information(Port& port);
    bool select_roles();
    bool change_role(Port& port);
    bool keep_disabled(Port& port);
    bool proceed_as_root(Port& port);
    bool proceed_as_designated(Port& port);
    bool proceed_blocked(Port& port);
    bool change_state(Port& port);
    bool change_topology(Port& port);
    bool change_topology_actively(Port& port);

    // Procedures of the standard that the machines use.
    void disable_information(Port& port);
    void age_information(Port& port);
    void receive_information(Port& port, const Bpdu& bpdu);
    void record_superior(Port& port, const Bpdu& bpdu);
    void record_agreement(Port& port, const Bpdu& bpdu) const;
    void start_received_info(Port& port);
    void select_role_of(Port& port, const Port* root);
    [[nodiscard]] bool all_synced() const;
    [[nodiscard]] bool re_rooted(const Port& port) const;
    [[nodiscard]] Nanos forward_delay_of(const Port& port) const;
    void notice_topology_change(Port& port);
    void start_tc_while(Port& port);
    void propagate_topology_change(const Port& from);
    [[nodiscard]] std::optional<Bpdu> bpdu_due(const Port& port) const;

    BridgeSettings settings_;
    std::vector<Port> ports_;  // lowest index first
    Nanos now_;
    Nanos next_second_;  // when sent_of_late counts down next
    PriorityVector root_priority_{.root = id(), .cost = 0, .bridge = id(), .port = {}};
    Times root_times_ = settings_.times;
    BridgeId reported_root_ = id();
    PortSet flushes_ = 0;
    PortSet noticed_changes_ = 0;
    uint64_t topology_changes_ = 0;
    std::optional<Nanos> last_change_;
    Nanos change_lasts_until_;
};

}  // namespace sluice::rstp
