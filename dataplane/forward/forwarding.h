// Forwarding: selects the outputs of a frame, by family, VLAN membership, FDB and flooding, and
// learns its source. An output here is a bridge port: a port, or the representative of an
// aggregation (aggregations.h).
//
// Worker 0 writes the FDB. Another worker puts a source that is new, has moved or ages into its
// queue, and worker 0 learns it at its next `housekeep`. If the queue is full, the source is not
// learned from this frame, but from a later one. Control reports the addresses behind EVPN tunnels
// by another queue.
// At EVPN tunnels (PortSettings::evpn) no address is learned, no frame is forwarded from one tunnel
// to another (split horizon, RFC 8365 11), and frames are flooded only to the tunnels that control
// sets.
// Bound: two FDB lookups a frame; `housekeep` empties the queues and sweeps a few FDB buckets. Each
// worker has a shard with its own copy of the settings, so adopting them needs no lock. EVPN costs
// a flooded frame one load, and other frames nothing.
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

    // Returns the part of one worker; only that worker calls its functions.
    [[nodiscard]] Shard& shard(WorkerIndex worker);

    // Executes flush orders, forgets addresses at ports that lost their link, learns sources of the
    // other workers, and ages entries. `ports`: those with link that forward or learn. Called by
    // worker 0.
    void housekeep(PortSet ports, Nanos now);
    // Whether `housekeep` may have work. Always true with several workers.
    [[nodiscard]] bool has_housekeeping_for(PortSet ports, Nanos now) const;
    // Calls `see` with the moves refused since the last call. A move that continues is reported
    // about once a call. If many moves continue, only the first ones of each worker are reported.
    // Called by control.
    template <class See>
    void take_refused_moves(See see);
    template <class See>
    void take_membership_news(See see) {
        multicast_.take_news(see);
    }
    // Whether the next `housekeep` sweeps for aged entries. Called by worker 0.
    [[nodiscard]] bool is_to_age(Nanos now) const {
        return fdb_.is_to_age(now) || multicast_.memberships().is_ageing();
    }
    // Restores an address that was learned before a restart, under the present settings. Returns
    // false if the address has aged out, its VLAN does not learn or does not have the port as a
    // member, it is in the FDB already (so a static entry stays), or there is no place. Called
    // before workers run.
    bool restore(const RememberedAddress& remembered, Nanos now);
    // Called by control.
    [[nodiscard]] FlushOrders& flush_orders() { return flush_orders_; }
    // Orders a change of a remote Ethernet address, which the next `housekeep` executes. Returns
    // false if the queue is full. Called by control.
    bool order_remote(VlanId vlan, MacAddress address, RemoteOrder order) {
        return remote_orders_.push({Fdb::key_of(vlan, address), order});
    }
    // Returns the number of these orders that worker 0 has not executed yet. Called by control.
    std::size_t remote_orders_not_taken() { return remote_orders_.not_taken(); }
    // Sets the ports to which no frame is flooded. Called by control.
    void set_unflooded(PortSet ports) { unflooded_.store(ports, std::memory_order_relaxed); }
    static constexpr uint32_t most_remote_orders = 256;  // in the queue
    // The neighbours of VLANs where neighbour requests are suppressed, for control.
    [[nodiscard]] NeighbourFilter& neighbours() { return neighbours_; }
    // Returns a shard under `settings` that belongs to no worker and does not learn, for the packet
    // tracer (trace/what_if.h).
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
    PortSet ports_seen_ = 0;    // `ports` of the last `housekeep`
    PortSet links_seen_ = 0;    // bridge ports with link at the last `housekeep`
    bool has_adopted_ = false;  // whether settings were adopted since the last `housekeep`
    uint64_t static_seen_ = 0;  // fingerprint of the static entries in the FDB
    FlushOrders flush_orders_;
    SingleProducerRing<KeyedOrder, most_remote_orders> remote_orders_;
    NeighbourFilter neighbours_;
};

class alignas(64) Forwarding::Shard {
  public:
    static constexpr uint32_t most_refused_moves = 64;

    void adopt(const Settings& settings);

    // The keys and hashes by which the FDB looks up the two addresses of a frame.
    struct Probes {
        Fdb::Probe source;
        Fdb::Probe destination;
        bool same_source;  // whether the previous frame of the burst has the same source
    };
    // Hashes the two addresses, and prefetches their buckets. `before`: the probes of the previous
    // frame, or Probes{} for the first frame of a burst. A burst is often from one host, whose
    // source is then looked up once. The source is not hashed if the format does not learn. `where`
    // (here and in `accept` and `route`) is `either` for a port with 16-bit ids, which may be in
    // the direct table.
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

    // Returns Drop::none if the frame's port is a member of its VLAN, else vlan_filtered. For this
    // and the next function, `frame.input` is the bridge port (aggregations.h).
    [[nodiscard]] Drop enter(const Frame& frame) const {
        const PortSet members = vlans_.members(frame.vlan);
        return (members & only(frame.input)) != 0 ? Drop::none : Drop::vlan_filtered;
    }
    // Returns Drop::none and learns the source, or returns the Drop of `enter`, static_source,
    // moved_source or fdb_full.
    template <Fdb::Where where = Fdb::Where::hashed>
    Drop accept(const Frame& frame, const Fdb::Probe& source, uint32_t epoch) {
        if (const Drop why = enter(frame); why != Drop::none) return why;
        const Fdb::PackedEntry known = all_->fdb_.find_in<where>(source);
        if (known.is_fresh(frame.input, epoch)) return Drop::none;
        return learn(frame, source, known, epoch);
    }
    // Returns the result that `accept` would have, without learning.
    [[nodiscard]] Drop would_accept(const Frame& frame, const Fdb::Probe& source) const;
    // Sets `outputs` of a frame, among `links`, and returns Drop::none; or returns same_port or
    // no_output.
    template <Fdb::Where where = Fdb::Where::hashed>
    Drop route(const Frame& frame, const Fdb::Probe& destination, PortSet links,
               PortSet& outputs) const {
        return resolve_outputs(frame, all_->fdb_.find_in<where>(destination), links, outputs);
    }
    // Returns the FDB entry of an address.
    [[nodiscard]] Fdb::PackedEntry known(const Fdb::Probe& address) const {
        return all_->fdb_.find_either(address);
    }
    // Whether some VLAN does not flood unknown unicast; and whether this frame is dropped for that
    // reason.
    [[nodiscard]] bool refuses_unknown() const { return !vlans_.floods_everywhere(); }
    [[nodiscard]] bool refuses(const Frame& frame, const Fdb::Probe& destination) const {
        return !vlans_.floods(frame.vlan) && !Fdb::address_of(destination.key).is_group() &&
               !all_->fdb_.find_either(destination);
    }
    // Returns the kind under which storm control counts a frame to this destination; none if the
    // station is known.
    [[nodiscard]] std::optional<StormControlKind> storm_control_kind(
        const Fdb::Probe& destination) const;
    // Returns the `outputs` that can send the frame, by its length with the tag that they send.
    // `came`: the tag of the received frame; null if no tags are edited.
    [[nodiscard]] PortSet outputs_within_mtu(const Frame& frame, const TagForm* came,
                                             PortSet outputs) const;
    // Returns the bridge ports to which frames from `input` may be bridged: those of the same
    // family, without other isolated ports if `input` is isolated, and without EVPN tunnels if
    // `input` is an EVPN tunnel.
    [[nodiscard]] PortSet peers(PortIndex input) const {
        return all_->peers_[input] & ~kept_apart_[input];
    }
    // Returns the `peers` of `input` that have link.
    [[nodiscard]] PortSet reachable(PortIndex input, PortSet links) const {
        return aggregations_.bridge_ports(links) & peers(input);
    }
    // Returns the hash of the frame's flow, which selects a member of an aggregation. `format`: the
    // format of the port that received the frame.
    [[nodiscard]] uint64_t flow_of(DistributionHash by, const Frame& frame, const Probes& probes,
                                   const Format& format) const {
        return Flow(by, all_->flow_seed_)(probes.source.key, probes.destination.key,
                                          {frame.data, frame.length}, frame.network_offset,
                                          format.flow_label(frame.data));
    }

    // Return whether neighbour requests of hosts at `bridge_port` are suppressed; and whether those
    // in `vlan` are.
    [[nodiscard]] bool suppresses(PortIndex bridge_port) const {
        return vlans_.suppresses_any() && all_->neighbours_.is_on() &&
               (evpn_ports_ & only(bridge_port)) == 0;
    }
    [[nodiscard]] bool suppresses_in(VlanId vlan) const { return vlans_.suppresses(vlan); }
    [[nodiscard]] const NeighbourFilter& neighbours() const { return all_->neighbours_; }

    // Whether some ports edit tags; and the edit of one frame.
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
    // Returns static_source or moved_source if the source may not move to the frame's port, else
    // none.
    [[nodiscard]] Drop refusal_of(const Frame& frame, Fdb::PackedEntry known) const;
    // Learns a source that is new, has moved, or was last seen in another epoch; or returns why the
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
    std::unique_ptr<Multicast::Shard> own_multicast_;              // set in an observer
    std::unique_ptr<SingleProducerRing<LearnEvent>> to_worker_0_;  // null in worker 0
    std::unique_ptr<SingleProducerRing<RefusedMove, most_refused_moves>> refused_moves_;
    RefusedMove last_refused_{};
    uint32_t refused_in_ = 0;  // epoch of `last_refused_`
    VlanTable vlans_;
    Aggregations aggregations_;
    Mirrors mirrors_;
    MtuTable mtus_;
    Nanos ageing_;
    std::array<PortSet, max_ports> kept_apart_{};  // ports to which an input is not bridged
    PortSet evpn_ports_ = 0;
    PortSet sticky_ = 0;
    PortSet keeping_ = 0;  // ports whose learned addresses do not move to other ports
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
