// Multicast: selects the outputs of a frame for a group: the listening ports, or all ports.
//
// Frames for a group that is known, from settings or reports, are forwarded to its ports and to
// router ports. IGMP and MLD are snooped where configured: a query is forwarded to all ports, a
// report only to router ports, so that it does not suppress the reports of other hosts (RFC 4541
// 2.1.1). `unregistered` configures the outputs for groups without a report. Frames for 224.0.0.x,
// all nodes, solicited nodes, and groups that are not of IP are forwarded to all ports (2.1.2).
//
// Any worker snoops. Worker 0 keeps the memberships (memberships.h); each other worker passes its
// reports to worker 0 by a queue. If that queue is full, the report is lost and counted; hosts
// repeat reports.
// Bound: a frame for a group costs one lookup; a report also costs its length. Each worker has its
// own copy of the settings, so adopting them needs no lock.
// Not here: recognition of IP (ingress/parse.h), fragments.
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

    // Returns the part of one worker; only that worker calls its functions.
    [[nodiscard]] Shard& shard(WorkerIndex worker);

    // Returns a shard that belongs to no worker, whose reports are dropped, for the packet tracer.
    // Called by control.
    [[nodiscard]] std::unique_ptr<Shard> observer();

    // Processes the reports of other workers, removes ports that lost their link, and ages. All
    // ports here are bridge ports. Called by worker 0.
    void housekeep(PortSet links, Nanos now);
    // Whether `housekeep` may have work.
    [[nodiscard]] bool has_housekeeping_for(PortSet links) const;
    // Calls `see` with the queries and leaves that were received since the last call in VLANs that
    // control queries. Called by control.
    template <class See>
    void take_news(See see);
    void forget_ports(PortSet ports) { memberships_.forget_ports(ports); }
    void forget_vlan(VlanId vlan) { memberships_.forget_vlan(vlan); }

    [[nodiscard]] const Memberships& memberships() const { return memberships_; }
    // Returns the reports and queries lost because a queue to worker 0 or to control was full.
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
        Key group;  // for `routes`, only the VLAN is used
        Nanos at;
        PortIndex port;
        ReportKind kind;
        GroupSource source = {};  // only for `wants` and `blocks`
    };
    void keep(const Notice& notice);

    Memberships memberships_;
    std::vector<Shard> shards_;  // one a worker
    PortSet links_seen_ = 0;
};

class alignas(64) Multicast::Shard {
  public:
    void adopt(const Settings& settings, const Bridge& bridge);

    // Whether any group is known or any VLAN is snooped. If not, frames for groups are flooded.
    [[nodiscard]] bool in_use() const { return in_use_; }
    // Removes the ports that do not listen from `outputs`, the flood outputs of a frame for a
    // group. Returns Drop::none, no_listener or membership_damaged.
    Drop filter(const Frame& frame, Key destination, Nanos now, PortSet& outputs);

  private:
    friend class Multicast;

    static constexpr uint32_t most_news = 64;

    // Returns whether the frame is IGMP or MLD. If it is, sets its `outputs`, and sets `why` if the
    // frame is dropped.
    bool snoop(const Frame& frame, Nanos now, PortSet routers, PortSet& outputs, Drop& why);
    void tell_control(const MembershipMessage& message, const Frame& frame);
    void note(const Notice& notice);
    void note_change(const MembershipChange& change, bool lasting, Notice notice);

    Multicast* multicast_ = nullptr;
    std::unique_ptr<SingleProducerRing<Notice>> to_worker_0_;  // null in worker 0
    std::unique_ptr<SingleProducerRing<MembershipNews, most_news>> to_control_;
    std::bitset<max_vlans> queried_;  // VLANs that control queries
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
