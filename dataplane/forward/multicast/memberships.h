// Memberships: which ports have listeners of which multicast group, until when, and which ports
// lead to a multicast router. This is the state of IGMP and MLD snooping.
//
// A report adds its port to the group for `ageing`, and each further report begins that time anew.
// A leave shortens it to `leaving`, in which another listener at that port can answer the querier's
// question, or to nothing with `fast_leave`. Where hosts name sources (IGMPv3, MLDv2), these have
// such a time each, at each port: a port is a group's while it has one or wants them all, so that
// the BLOCK of a host that leaves a source ends its port as a leave does. A group that a host of
// IGMP v1 reported lately takes no leave, since such hosts never send one (RFC 2236 5). A port is a
// router port for `ageing` after a query, a PIM Hello or an advertisement of MRD came by it.
// Static groups are from the settings and do not age; a group may have static and learned ports.
// Reports count only in VLANs that snoop, and only of the protocol that is snooped there. All ports
// here are bridge ports (forward/aggregations.h).
//
// Bound: a report costs one look-up a group, and a source a walk along those of its group. Of a
// group at a port `most_sources` are known, and of all together four a group of `capacity`; beyond
// either the port wants them all. There is a word for the time of each group and port,
// and of each VLAN and port, all of it taken at start. `age` looks at a few entries a call; the
// loss of a link, and new settings, cost one pass over groups and VLANs. A group that finds no
// place in the table is counted and stays unknown; a static group takes the place of a learned one.
// Follows RFC 4541 2.1.1; times by RFC 2236 and RFC 3376. Worker 0 alone writes; any worker may
// read the table and the router ports.
// Not done here: reading frames (membership_message.h); sending queries, which the network needs:
// control does where it is to (control/querier).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "dataplane/forward/aggregations.h"
#include "dataplane/forward/multicast/group_table.h"
#include "dataplane/forward/multicast/membership_message.h"
#include "dataplane/forward/vlan.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"
#include "dataplane/types/zeroed.h"

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
    // Ports with routers behind them, learned by queries.
    [[nodiscard]] PortSet routers(VlanId vlan) const {
        return routers_[vlan].load(std::memory_order_relaxed);
    }

    static constexpr std::size_t most_sources = 16;  // of a group at a port

    // --- the writer -----------------------------------------------------------------------------
    // Static groups as they are now; what was learned where nobody listens any more, or of ports
    // that have left the VLAN, goes.
    void configure(const Settings& settings, const Bridge& bridge);
    // `lasting`: by a host that will not say when it leaves.
    void join(Key group, PortIndex port, bool lasting, Nanos now);
    void leave(Key group, PortIndex port, Nanos now);
    // A source of the group is wanted; from now on only those of which this is said at once; one is
    // wanted no more.
    void want(Key group, const GroupSource& source, PortIndex port, Nanos now);
    void narrow(Key group, PortIndex port, Nanos now);
    void block(Key group, const GroupSource& source, PortIndex port, Nanos now);
    void note_router(VlanId vlan, PortIndex port, Nanos now);
    void forget_ports(PortSet ports);
    void forget_vlan(VlanId vlan);
    void age(Nanos now);
    // Whether the next `age` goes on with a round.
    [[nodiscard]] bool is_ageing() const { return ageing_at_ != 0 && !holds_nothing(); }
    // Then none of `forget_ports`, `forget_vlan` and `age` finds anything.
    [[nodiscard]] bool holds_nothing() const {
        return groups_.size() == 0 && vlans_with_routers_ == 0;
    }

    // --- what can be seen -----------------------------------------------------------------------
    // Joins and groups of the settings that found no place, or lost theirs.
    [[nodiscard]] uint64_t full() const { return full_.value(); }
    // Sources that are known, and those that found no place.
    [[nodiscard]] uint64_t sources() const { return sources_.value(); }
    [[nodiscard]] uint64_t sources_full() const { return sources_full_.value(); }

  private:
    using Number = GroupTable::Number;
    using SourceNumber = uint32_t;
    static constexpr SourceNumber no_source = UINT32_MAX;
    // A source that is wanted at a port.
    struct Wanted {
        GroupSource source;
        Nanos until;
        PortIndex port = 0;
        SourceNumber next = no_source;  // of the same group, or free
    };
    // What the writer keeps of a group beside the table.
    struct Group {
        PortSet joined = 0;
        PortSet fixed = 0;
        Nanos lasts;                      // until then nobody leaves it
        SourceNumber wanted = no_source;  // the first
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
    // The group's number, which is added where it is not known; `none`: there is no place.
    Number number_for(Key group, PortIndex port, Nanos now);
    void add_port(Number number, PortIndex port);
    void shorten(Number number, PortIndex port, Nanos now);
    // Forgets the sources of a group of which `is_over(wanted)` holds; returns the others' ports.
    template <class IsOver>
    PortSet forget_sources(Number number, IsOver is_over);
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
    std::vector<Wanted> wanted_;
    SourceNumber free_source_ = 0;  // the first
    Zeroed<Nanos> deadlines_;       // of those that have joined
    Zeroed<Nanos> router_deadlines_;
    std::unique_ptr<std::atomic<PortSet>[]> routers_;  // by VLAN
    std::size_t vlans_with_routers_ = 0;
    std::size_t ageing_at_ = 0;  // next step of the round
    Nanos next_round_;
    Number room_at_ = 0;  // where a learned group is looked for that has to go
    Counter full_;
    Counter sources_;
    Counter sources_full_;
};

}  // namespace sluice
