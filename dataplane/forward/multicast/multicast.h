// Multicast: decides where a frame for a group goes: to the listening ports, or to all ports.
//
// Frames for a group that is known, from settings or reports, go to its ports and to router ports.
// IGMP and MLD are snooped where configured: a query goes to all ports, a report to router ports
// alone, so that one host does not keep another from reporting (RFC 4541 2.1.1). Frames for groups
// without a report go where `unregistered` says. Frames for 224.0.0.x, all nodes and solicited
// nodes go to all ports, and so do frames for every group that is not IP's (2.1.2).
//
// Any worker snoops. Worker 0 keeps the memberships (memberships.h); the others send it reports by
// queues. A report that finds its queue full is lost and counted: hosts report again.
// Bound: a frame for a group costs one lookup; a report also costs its length. Each worker reads
// its own copy of the settings, so adopting them needs no lock.
// Not done here: finding out whether the frame is IP (ingress/parse.h), fragments.
#pragma once

#include <array>
#include <bitset>
#include <memory>
#include <vector>

#include "dataplane/forward/multicast/membership_message.h"
#include "dataplane/forward/multicast/membership_news.h"
#include "dataplane/forward/multicast/memberships.h"
#include "dataplane/threads/single_producer_ring.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class Multicast {
  public:
    using Key = GroupTable::Key;
    class Shard;

    explicit Multicast(const Settings& settings);
    ~Multicast();

    // One worker's part of it; only that worker calls it.
    [[nodiscard]] Shard& shard(WorkerIndex worker);

    // By control: a shard of no worker, whose reports are not kept, for a what-if.
    [[nodiscard]] std::unique_ptr<Shard> observer();

    // By worker 0: takes the reports of the others, removes ports that lost their link, and ages.
    // All ports here are bridge ports.
    void housekeep(PortSet links, Nanos now);
    // Whether `housekeep` has anything to do; it has not while there are no groups.
    [[nodiscard]] bool has_housekeeping_for(PortSet links) const;
    // By control: the queries and leaves of others since the last call, in VLANs that it queries.
    template <class See>
    void take_news(See see);
    void forget_ports(PortSet ports) { memberships_.forget_ports(ports); }
    void forget_vlan(VlanId vlan) { memberships_.forget_vlan(vlan); }

    [[nodiscard]] const Memberships& memberships() const { return memberships_; }
    // Reports and queries that were lost because a queue to worker 0 or to control was full.
    [[nodiscard]] uint64_t lost_reports() const;

  private:
    enum class ReportKind : uint8_t {
        joins,
        joins_lasting,
        leaves,
        wants,
        narrows,
        blocks,
        routes
    };
    struct Notice {
        Key group;  // of a router the VLAN alone
        Nanos at;
        PortIndex port;
        ReportKind kind;
        GroupSource source = {};  // of `wants` and `blocks`
    };
    void keep(const Notice& notice);

    Memberships memberships_;
    std::vector<Shard> shards_;  // one a worker
    PortSet links_seen_ = 0;
};

class alignas(64) Multicast::Shard {
  public:
    void adopt(const Settings& settings, const Bridge& bridge);

    // Whether any group is known or any VLAN is snooped; if not, every group is flooded.
    [[nodiscard]] bool in_use() const { return in_use_; }
    // For a frame to a group: removes from `outputs`, those of a flood, the ports that do not
    // listen. Drop::none, no_listener or membership_damaged.
    Drop filter(const Frame& frame, Key destination, Nanos now, PortSet& outputs);

  private:
    friend class Multicast;

    static constexpr uint32_t most_news = 64;

    // Whether the frame was IGMP or MLD; if so `outputs` and `why` are set to its forwarding.
    bool snoop(const Frame& frame, Nanos now, PortSet routers, PortSet& outputs, Drop& why);
    void tell_control(const MembershipMessage& message, const Frame& frame);
    void note(const Notice& notice);
    void note_change(const MembershipChange& change, bool lasting, Notice notice);

    Multicast* multicast_ = nullptr;
    std::unique_ptr<SingleProducerRing<Notice>> to_worker_0_;  // of the other workers
    std::unique_ptr<SingleProducerRing<MembershipNews, most_news>> to_control_;
    std::bitset<max_vlans> queried_;  // by control
    std::array<GroupProtocols, max_vlans> snooping_{};
    PortSet router_ports_ = 0;
    Unregistered unregistered_{};
    bool in_use_ = false;
    Counter lost_reports_;
};

inline bool Multicast::has_housekeeping_for(PortSet links) const {
    return links != links_seen_ || shards_.size() > 1 || !memberships_.holds_nothing();
}
template <class See>
void Multicast::take_news(See see) {
    for (Shard& shard : shards_) shard.to_control_->take(see);
}
inline Multicast::Shard& Multicast::shard(WorkerIndex worker) { return shards_[worker]; }

}  // namespace sluice
