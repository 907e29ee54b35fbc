// Forwarding: decides where a frame goes: family, VLAN membership, learning, FDB, flood. An output
// here is a bridge port: a port, or the representative of an aggregation (aggregations.h).
//
// Worker 0 writes the FDB. Another worker that sees a new, moved or ageing source puts it into its
// queue, and worker 0 learns from there at its next `housekeep`. If the queue is full the source is
// dropped, since it will send again. Addresses behind EVPN tunnels come from control, by another
// queue.
// At EVPN tunnels (PortSettings::evpn) nothing is learned, no frame goes from one of them to
// another (split horizon, RFC 8365 11), and floods go only to the tunnels that control names.
// Bound: two FDB lookups a frame; `housekeep` takes what the queues hold and a few buckets of
// ageing. Each worker has a shard: its own copy of the settings, so that adopting them needs no
// lock. EVPN costs a flooded frame one load, and other frames nothing.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>

#include "dataplane/forward/aggregations.h"
#include "dataplane/forward/fdb.h"
#include "dataplane/forward/flow.h"
#include "dataplane/forward/flush_orders.h"
#include "dataplane/forward/mirrors.h"
#include "dataplane/forward/mtu_table.h"
#include "dataplane/forward/multicast/multicast.h"
#include "dataplane/forward/neighbour_filter.h"
#include "dataplane/forward/refused_move.h"
#include "dataplane/forward/remote_order.h"
#include "dataplane/forward/vlan.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/threads/single_producer_ring.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/hot_memory.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/tag.h"

namespace sluice {

class Forwarding {
  public:
    class Shard;

    explicit Forwarding(const Settings& settings);
    ~Forwarding();

    // One worker's part of it; only that worker calls it.
    [[nodiscard]] Shard& shard(WorkerIndex worker);

    // By worker 0: carries out orders to forget, forgets addresses at ports without link, learns
    // what the other workers saw, and ages. `ports`: those with link that forward or learn.
    void housekeep(PortSet ports, Nanos now);
    // Whether `housekeep` may find anything to do. With several workers always true.
    [[nodiscard]] bool has_housekeeping_for(PortSet ports, Nanos now) const;
    // By control: moves that were refused since the last call. A move that goes on is reported
    // about once a call; of many at once the first of each worker.
    template <class See>
    void take_refused_moves(See see);
    template <class See>
    void take_membership_news(See see) {
        multicast_.take_news(see);
    }
    // By worker 0: whether the next `housekeep` looks for aged entries.
    [[nodiscard]] bool is_to_age(Nanos now) const {
        return fdb_.is_to_age(now) || multicast_.memberships().is_ageing();
    }
    // Before workers run: restores an address that was learned before a restart, under the present
    // settings. False: the address has aged, its VLAN does not learn or is not the port's, it is
    // known already (so a static entry stays), or there is no place.
    bool restore(const RememberedAddress& remembered, Nanos now);
    // By control.
    [[nodiscard]] FlushOrders& flush_orders() { return flush_orders_; }
    // By control, for an Ethernet address. Carried out by the next `housekeep`. False: the queue is
    // full.
    bool order_remote(VlanId vlan, MacAddress address, RemoteOrder order) {
        return remote_orders_.push({Fdb::key_of(vlan, address), order});
    }
    // By control: how many of these orders worker 0 has not carried out yet. The FDB shows the
    // result of the others.
    std::size_t remote_orders_not_taken() { return remote_orders_.not_taken(); }
    // By control: ports that get no floods, from now on.
    void set_unflooded(PortSet ports) { unflooded_.store(ports, std::memory_order_relaxed); }
    static constexpr uint32_t most_remote_orders = 256;  // at once
    // By control: for the VLANs where neighbour requests are suppressed.
    [[nodiscard]] NeighbourFilter& neighbours() { return neighbours_; }
    // A shard of no worker, under `settings`, which learns nothing: for a what-if
    // (trace/what_if.h).
    [[nodiscard]] std::unique_ptr<Shard> observer(const Settings& settings);

    [[nodiscard]] const Fdb& fdb() const { return fdb_; }
    [[nodiscard]] const Multicast& multicast() const { return multicast_; }

  private:
    struct LearnEvent {
        Fdb::Probe source;
        PortIndex port;
        uint32_t epoch;
    };
    struct KeyedOrder {
        Fdb::Key key;
        RemoteOrder order;
    };
    [[nodiscard]] uint64_t fingerprint_of_static(const Settings& settings) const;
    void adopt_static(const Settings& settings);
    void learn_from(const LearnEvent& seen);
    void carry_out(const KeyedOrder& order);
    // Forgets the addresses of ports that joined or left an aggregation.
    void forget_regrouped(const Aggregations& before, const Aggregations& now);

    std::array<PortSet, max_ports> peers_{};
    std::atomic<PortSet> unflooded_{0};
    uint64_t flow_seed_;
    Fdb fdb_;
    Multicast multicast_;
    HotVector<Shard> shards_;   // one a worker
    PortSet ports_seen_ = 0;    // by the last `housekeep`
    PortSet links_seen_ = 0;    // their bridge ports
    bool has_adopted_ = false;  // settings since, by which these may be others
    uint64_t static_seen_ = 0;  // fingerprint of the static entries that hold
    FlushOrders flush_orders_;
    SingleProducerRing<KeyedOrder, most_remote_orders> remote_orders_;
    NeighbourFilter neighbours_;
};

class alignas(64) Forwarding::Shard {
  public:
    static constexpr uint32_t most_refused_moves = 64;

    void adopt(const Settings& settings);

    // Where the FDB looks for the two addresses of a frame.
    struct Probes {
        Fdb::Probe source;
        Fdb::Probe destination;
        bool same_source;  // as the frame before it in the burst
    };
    // Hashes the two addresses, and prefetches their buckets. `before`: the probes of the previous
    // frame, or Probes{}; a burst is often from one host, whose source is then looked up once. If
    // the format does not learn, the source is not hashed. `where` (here and in the two functions
    // below) is `either` for a port with ids of 16 bits, which may be in the direct table.
    template <Fdb::Where where = Fdb::Where::hashed>
    [[nodiscard]] Probes prepare(FormatFamily family, bool learns, const Frame& frame,
                                 const Headers& headers, const Probes& before) const {
        const Fdb& fdb = all_->fdb_;
        const Fdb::Key source = Fdb::key_of(family, frame.vlan, headers.source);
        const Fdb::Key destination = Fdb::key_of(family, frame.vlan, headers.destination);
        const bool same = source == before.source.key;
        const Probes probes{same     ? before.source
                            : learns ? fdb.probe_in<where>(source)
                                     : Fdb::Probe{source, 0},
                            fdb.probe_in<where>(destination), same};
        if (!same && learns) fdb.prefetch_in<where>(probes.source);
        fdb.prefetch_in<where>(probes.destination);
        return probes;
    }

    // Whether a frame may enter from its port: Drop::none or vlan_filtered. This and the next
    // function expect the bridge port: `frame.input` is the port that the frame came by, or the
    // representative of its aggregation (aggregations.h).
    [[nodiscard]] Drop enter(const Frame& frame) const {
        const PortSet members = vlans_.members(frame.vlan);
        return (members & only(frame.input)) != 0 ? Drop::none : Drop::vlan_filtered;
    }
    // Whether a frame with this source may enter; if so the source is learned. Else the Drop of
    // `enter`, or static_source, moved_source or fdb_full.
    template <Fdb::Where where = Fdb::Where::hashed>
    Drop accept(const Frame& frame, const Fdb::Probe& source, uint32_t epoch) {
        if (const Drop why = enter(frame); why != Drop::none) return why;
        const Fdb::PackedEntry known = all_->fdb_.find_in<where>(source);
        if (known.is_fresh(frame.input, epoch)) return Drop::none;
        return learn(frame, source, known, epoch);
    }
    // Returns what `accept` would; nothing is learned.
    [[nodiscard]] Drop would_accept(const Frame& frame, const Fdb::Probe& source) const;
    // Where a frame goes, among `links`. Drop::none and `outputs`; or why it goes nowhere:
    // same_port or no_output.
    template <Fdb::Where where = Fdb::Where::hashed>
    Drop route(const Frame& frame, const Fdb::Probe& destination, PortSet links,
               PortSet& outputs) const {
        return resolve_outputs(frame, all_->fdb_.find_in<where>(destination), links, outputs);
    }
    // Returns the entry of an address.
    [[nodiscard]] Fdb::PackedEntry known(const Fdb::Probe& address) const {
        return all_->fdb_.find_either(address);
    }
    // Whether some VLAN does not flood to unknown stations; and whether that stops this frame.
    [[nodiscard]] bool refuses_unknown() const { return !vlans_.floods_everywhere(); }
    [[nodiscard]] bool refuses(const Frame& frame, const Fdb::Probe& destination) const {
        return !vlans_.floods(frame.vlan) && !Fdb::address_of(destination.key).is_group() &&
               !all_->fdb_.find_either(destination);
    }
    // The kind under which storm control counts a frame to this destination; empty if its station
    // is known.
    [[nodiscard]] std::optional<StormControlKind> storm_control_kind(
        const Fdb::Probe& destination) const;
    // Returns the `outputs` whose longest frame is not exceeded by this one, with the tag that it
    // leaves with. `came`: the tag that it came with; null if no tags are edited.
    [[nodiscard]] PortSet outputs_within_mtu(const Frame& frame, const TagForm* came,
                                             PortSet outputs) const;
    // The bridge ports that a frame from `input` may be bridged to: those of the same family. An
    // isolated port reaches no other isolated port, and an EVPN tunnel no other EVPN tunnel.
    [[nodiscard]] PortSet peers(PortIndex input) const {
        return all_->peers_[input] & ~kept_apart_[input];
    }
    // Returns the `peers` of `input` that have link.
    [[nodiscard]] PortSet reachable(PortIndex input, PortSet links) const {
        return aggregations_.bridge_ports(links) & peers(input);
    }
    // The hash of the frame's flow, which chooses a member of an aggregation. `format`: the format
    // of the port that the frame came by.
    [[nodiscard]] uint64_t flow_of(DistributionHash by, const Frame& frame, const Probes& probes,
                                   const Format& format) const {
        return Flow(by, all_->flow_seed_)(probes.source.key, probes.destination.key,
                                          {frame.data, frame.length}, frame.network_offset,
                                          format.flow_label(frame.data));
    }

    // Whether neighbour requests of hosts at a port are suppressed: at all, and in one VLAN.
    [[nodiscard]] bool suppresses(PortIndex bridge_port) const {
        return vlans_.suppresses_any() && all_->neighbours_.is_on() &&
               (evpn_ports_ & only(bridge_port)) == 0;
    }
    [[nodiscard]] bool suppresses_in(VlanId vlan) const { return vlans_.suppresses(vlan); }
    [[nodiscard]] const NeighbourFilter& neighbours() const { return all_->neighbours_; }

    // Whether some ports send other tags than the frames came with; and the edit for one frame.
    [[nodiscard]] bool edits_tags() const { return vlans_.edits_tags(); }
    [[nodiscard]] TagEdit tag_edit(const Frame& frame, const TagForm& came,
                                   PortIndex output) const {
        return vlans_.tag_edit(frame.vlan, came, output);
    }

    [[nodiscard]] const Aggregations& aggregations() const { return aggregations_; }
    [[nodiscard]] const Mirrors& mirrors() const { return mirrors_; }
    [[nodiscard]] const MtuTable& mtus() const { return mtus_; }
    [[nodiscard]] Multicast::Shard& multicast() { return *multicast_; }

  private:
    friend class Forwarding;

    [[nodiscard]] Drop resolve_outputs(const Frame& frame, Fdb::PackedEntry destination,
                                       PortSet links, PortSet& outputs) const;
    // For a source that is known at another port: static_source or moved_source.
    [[nodiscard]] Drop refusal_of(const Frame& frame, Fdb::PackedEntry known) const;
    // Writes a source that is new, has moved, or was last seen in another epoch; or returns why the
    // frame is dropped.
    Drop learn(const Frame& frame, const Fdb::Probe& source, Fdb::PackedEntry known,
               uint32_t epoch);
    void note_refusal(const RefusedMove& move, uint32_t epoch);
    // Whether the source of an admitted frame is learned.
    [[nodiscard]] bool learns(const Frame& frame) const {
        return vlans_.learns(frame.vlan) && (evpn_ports_ & only(frame.input)) == 0;
    }
    [[nodiscard]] bool keeps(Fdb::PackedEntry known, PortIndex from) const {
        return known && known.kind() == EntryKind::learned && known.port() != from &&
               (keeping_ & only(known.port())) != 0;
    }

    Forwarding* all_ = nullptr;
    Multicast::Shard* multicast_ = nullptr;
    std::unique_ptr<Multicast::Shard> own_multicast_;              // of an observer
    std::unique_ptr<SingleProducerRing<LearnEvent>> to_worker_0_;  // of the other workers
    std::unique_ptr<SingleProducerRing<RefusedMove, most_refused_moves>> refused_moves_;
    RefusedMove last_refused_{};  // and when
    uint32_t refused_in_ = 0;
    VlanTable vlans_;
    Aggregations aggregations_;
    Mirrors mirrors_;
    MtuTable mtus_;
    Nanos ageing_;
    std::array<PortSet, max_ports> kept_apart_{};  // from each, of its family
    PortSet evpn_ports_ = 0;
    PortSet sticky_ = 0;
    PortSet keeping_ = 0;  // what was learned there does not move
    bool drops_when_full_ = false;
};

inline bool Forwarding::has_housekeeping_for(PortSet ports, Nanos now) const {
    return ports != ports_seen_ || has_adopted_ || shards_.size() > 1 || flush_orders_.any() ||
           !remote_orders_.empty() || fdb_.is_to_age(now) ||
           multicast_.has_housekeeping_for(links_seen_);
}
template <class See>
void Forwarding::take_refused_moves(See see) {
    for (Shard& shard : shards_) shard.refused_moves_->take(see);
}
inline Forwarding::Shard& Forwarding::shard(WorkerIndex worker) {
    assert(worker < shards_.size());
    return shards_[worker];
}

}  // namespace sluice
