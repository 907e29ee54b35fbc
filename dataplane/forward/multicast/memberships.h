// Memberships: holds the ports with listeners of each multicast group, their timers, and the ports
// with multicast routers. This is the state of IGMP and MLD snooping.
//
// A report adds its port to the group for `ageing`; each further report restarts that time. A leave
// shortens the time to `leaving`, in which another listener at that port can answer the querier's
// query, or to 0 with `fast_leave`. Each source that hosts select (IGMPv3, MLDv2) has such a time
// at each port. A port belongs to a group while its hosts want one source or all sources. So the
// BLOCK of a host that leaves a source removes the port as a leave does. Leaves are ignored for a
// group that an IGMP v1 host reported within the ageing time, since such hosts send none (RFC 2236
// 5). A port is a router port for `ageing` after it received a query, a PIM Hello or an MRD
// advertisement.
// Static groups are configured and do not age; a group may have static and learned ports. Reports
// count only in VLANs that snoop, and only for the protocols that are snooped there. All ports here
// are bridge ports (forward/aggregations.h).
//
// Bound: a report costs one lookup a group, and for each source a walk along the sources of the
// group. At most `most_sources` sources are kept for a group at a port, and four times `capacity`
// in all; beyond either bound the port counts as wanting all sources. There is one word for the
// time of each group and port, and of each VLAN and port, all allocated at start. `age` visits a
// few entries a call; a lost link, and new settings, cost one pass over groups and VLANs. A group
// that finds no place in the table is counted and stays unknown; a static group replaces a learned
// one. Follows RFC 4541 2.1.1; times by RFC 2236 and RFC 3376. Only worker 0 writes; any worker may
// read the table and the router ports.
// Not here: reading frames (membership_message.h); sending queries, which control does if
// configured (control/querier).
#pragma once

#include <array>
#include <atomic>
#include <cassert>
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

// The bridging state of a worker that adopts settings.
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
    // Returns the ports with multicast routers.
    [[nodiscard]] PortSet routers(VlanId vlan) const {
        return routers_[vlan].load(std::memory_order_relaxed);
    }

    static constexpr std::size_t most_sources = 16;  // for each group and port

    // --- the writer -----------------------------------------------------------------------------
    // Sets the static groups. Learned state is removed where snooping ended, and for ports that
    // have left the VLAN.
    void configure(const Settings& settings, const Bridge& bridge);
    // `lasting`: the host sends no leaves.
    void join(Key group, PortIndex port, bool lasting, Nanos now);
    void leave(Key group, PortIndex port, Nanos now);
    // `want` adds a source of the group at the port. `narrow` removes all sources; calls of `want`
    // directly after `narrow` keep the sources that they name. `block` removes a source.
    void want(Key group, const GroupSource& source, PortIndex port, Nanos now);
    void narrow(Key group, PortIndex port, Nanos now);
    void block(Key group, const GroupSource& source, PortIndex port, Nanos now);
    void note_router(VlanId vlan, PortIndex port, Nanos now);
    void forget_ports(PortSet ports);
    void forget_vlan(VlanId vlan);
    void age(Nanos now);
    // Whether the next `age` continues a round.
    [[nodiscard]] bool is_ageing() const { return ageing_at_ != 0 && !holds_nothing(); }
    // Whether there is no group and no router port. Then `forget_ports`, `forget_vlan` and `age`
    // have no work.
    [[nodiscard]] bool holds_nothing() const {
        return groups_.size() == 0 && vlans_with_routers_ == 0;
    }

    // --- state for readers ----------------------------------------------------------------------
    // Returns the joins and configured groups that found no place, or were replaced.
    [[nodiscard]] uint64_t full() const { return full_.value(); }
    // Return the sources that are kept, and those that found no place.
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
        SourceNumber next = no_source;  // next source of the same group, or next free one
    };
    // The state of a group that only the writer uses.
    struct Group {
        PortSet joined = 0;
        PortSet fixed = 0;
        Nanos lasts;                      // time until which leaves are ignored
        SourceNumber wanted = no_source;  // first wanted source
    };

    [[nodiscard]] bool listens_to(Key group) const;
    Nanos& deadline(Number number, PortIndex port) {
        assert(number < kept_.size() && port < ports_);
        return deadlines_[std::size_t{number} * ports_ + port];
    }
    Nanos& router_deadline(std::size_t vlan, PortIndex port) {
        assert(vlan < max_vlans && port < ports_);
        return router_deadlines_[vlan * ports_ + port];
    }
    // Writes the ports of the group to the table; a group without ports is removed.
    void publish(Number number);
    void part(Number number, PortSet ports);
    // Returns the group's number, and adds the group if it is new; `none` if there is no place.
    Number number_for(Key group, PortIndex port, Nanos now);
    void add_port(Number number, PortIndex port);
    void shorten(Number number, PortIndex port, Nanos now);
    // Removes the sources of a group for which `is_over(wanted)` is true; returns the ports of the
    // other sources.
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
    std::vector<Group> kept_;  // indexed by number in the table
    std::vector<Wanted> wanted_;
    SourceNumber free_source_ = 0;  // first free source
    Zeroed<Nanos> deadlines_;       // deadlines of joined ports
    Zeroed<Nanos> router_deadlines_;
    std::unique_ptr<std::atomic<PortSet>[]> routers_;  // indexed by VLAN
    std::size_t vlans_with_routers_ = 0;
    std::size_t ageing_at_ = 0;  // next step of the round
    Nanos next_round_;
    Number room_at_ = 0;  // where `make_room` continues its search
    Counter full_;
    Counter sources_;
    Counter sources_full_;
};

}  // namespace sluice
