// Memberships: which ports listen to which group, for how long, and behind which ports are routers.
//
// A port has joined from a report until nothing was heard of it for `ageing`; a leave makes that
// `leaving`, time for who else is behind the port to answer the router's question, or nothing with
// `fast_leave`. A group that a host of IGMP v1 reported lately is not left, since such hosts are
// silent (RFC 2236 5). A port with a router behind it is known by queries, for `ageing` as well.
// Static groups come from the settings and have no end; a group may have ports of both kinds.
// What reports say counts only in the VLANs, and of the protocols, that are listened to.
//
// Ports are bridge ports (forward/aggregations.h).
//
// Bound: a report costs one find a group. Times are a word for each place of a group and port, and
// for each VLAN and port, laid out at start. `age` looks at a few entries a call; a link that is
// lost, and settings that are adopted, cost one pass over the groups and VLANs. A group for which
// there is no place is counted and stays unknown; a static one takes the place of a learned one.
// Follows RFC 4541 2.1.1, RFC 2236 and RFC 3376 for their times. Worker 0 alone writes; the table
// and the router ports may be read by any.
// Not done here: reading frames (membership_message.h), asking questions: there must be a querier.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "dataplane/counters.h"
#include "dataplane/forward/aggregations.h"
#include "dataplane/forward/multicast/group_table.h"
#include "dataplane/forward/vlan.h"
#include "dataplane/limits.h"
#include "dataplane/settings.h"
#include "dataplane/units.h"
#include "dataplane/zeroed.h"

namespace sluice {

// What a worker knows of bridging when it adopts settings.
struct Bridge {
    const VlanTable& vlans;
    const Aggregations& aggregations;
};

class Memberships {
  public:
    using Key = GroupTable::Key;

    explicit Memberships(const Settings& settings);

    // --- any worker -----------------------------------------------------------------------------
    [[nodiscard]] const GroupTable& groups() const { return groups_; }
    // Those that were learned.
    [[nodiscard]] PortSet routers(VlanId vlan) const {
        return routers_[vlan].load(std::memory_order_relaxed);
    }

    // --- the writer -----------------------------------------------------------------------------
    // Static groups as they are now; what was learned where nobody listens any more, or of ports
    // that have left the VLAN, goes.
    void configure(const Settings& settings, const Bridge& bridge);
    // `lasting`: by a host that will not say when it leaves.
    void join(Key group, PortIndex port, bool lasting, Nanos now);
    void leave(Key group, PortIndex port, Nanos now);
    void note_router(VlanId vlan, PortIndex port, Nanos now);
    void forget_ports(PortSet ports);
    void forget_vlan(VlanId vlan);
    void age(Nanos now);
    // Then none of `forget_ports`, `forget_vlan` and `age` finds anything.
    [[nodiscard]] bool holds_nothing() const {
        return groups_.size() == 0 && vlans_with_routers_ == 0;
    }

    // --- what can be seen -----------------------------------------------------------------------
    // Joins and groups of the settings that found no place, or lost theirs.
    [[nodiscard]] uint64_t full() const { return full_.value(); }

  private:
    using Number = GroupTable::Number;
    // What the writer keeps of a group beside the table.
    struct Group {
        PortSet joined = 0;
        PortSet fixed = 0;
        Nanos lasts;  // until then nobody leaves it
    };

    [[nodiscard]] bool listens_to(Key group) const;
    Nanos& deadline(Number number, PortIndex port) {
        return deadlines_[std::size_t{number} * ports_ + port];
    }
    Nanos& router_deadline(std::size_t vlan, PortIndex port) {
        return router_deadlines_[vlan * ports_ + port];
    }
    // Has the table say what `groups` does; a group without ports goes.
    void publish(Number number);
    void part(Number number, PortSet ports);
    void set_routers(std::size_t vlan, PortSet ports);
    void forget_what_does_not_hold(const VlanTable& vlans);
    void add_static(PortSet ports, Key key);
    bool make_room();
    void age_group(Number number, Nanos now);
    void age_routers(std::size_t vlan, Nanos now);

    GroupTable groups_;
    std::size_t ports_;
    std::array<GroupProtocols, max_vlans> snooping_{};
    bool fast_leave_ = false;
    Nanos ageing_;
    Nanos leaving_;
    std::vector<Group> kept_;  // by number
    Zeroed<Nanos> deadlines_;  // of those that have joined
    Zeroed<Nanos> router_deadlines_;
    std::unique_ptr<std::atomic<PortSet>[]> routers_;  // by VLAN
    std::size_t vlans_with_routers_ = 0;
    std::size_t ageing_at_ = 0;  // next step of the round
    Nanos next_round_;
    Number room_at_ = 0;  // where a learned group is looked for that has to go
    Counter full_;
};

}  // namespace sluice
