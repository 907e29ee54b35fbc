// Forwarding: where a frame goes: family, VLAN membership, learning, FDB, flood. An output is a
// bridge port: a port, or the representative of an aggregation (aggregations.h).
//
// Worker 0 writes the FDB. What another worker sees of a new, moved or ageing source it puts in its
// queue, and worker 0 learns from there on its next `tend`; a full queue forgets, since the source
// will speak again.
// Bound: two FDB lookups a frame; `tend` takes what the queues hold and a few buckets of ageing.
// Each worker reads its own copy of the VLAN table, so adopting settings needs no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "dataplane/drops.h"
#include "dataplane/forward/aggregations.h"
#include "dataplane/forward/fdb.h"
#include "dataplane/forward/flow.h"
#include "dataplane/forward/flush_orders.h"
#include "dataplane/forward/longest_frames.h"
#include "dataplane/forward/mirrors.h"
#include "dataplane/forward/multicast/multicast.h"
#include "dataplane/forward/vlan.h"
#include "dataplane/forward/worker_queue.h"
#include "dataplane/frame.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/limits.h"
#include "dataplane/settings.h"
#include "dataplane/tag.h"

namespace sluice {

class Forwarding {
  public:
    explicit Forwarding(const Settings& settings);
    void adopt(WorkerIndex worker, const Settings& settings);

    // Where to look for the two addresses of a frame.
    struct Probes {
        Fdb::Probe source;
        Fdb::Probe destination;
        bool same_source;  // as the frame before it in the burst
    };
    // Hashes them, and asks for the memory they will need. `before` are those of the frame before,
    // or Probes{}: a burst is often from one host, and its source is looked up once. Where the
    // format does not learn the source is only told apart.
    // This and the two that end likewise: `where` is `either` for a port with ids of 16 bits, which
    // may be in the direct table.
    template <Fdb::Where where = Fdb::Where::hashed>
    [[nodiscard]] Probes prepare(Family family, bool learns, const Frame& frame,
                                 const Headers& headers, const Probes& before) const {
        const Fdb::Key source = Fdb::key_of(family, frame.vlan, headers.source);
        const Fdb::Key destination = Fdb::key_of(family, frame.vlan, headers.destination);
        const bool same = source == before.source.key;
        const Probes probes{same     ? before.source
                            : learns ? fdb_.probe_in<where>(source)
                                     : Fdb::Probe{source, 0},
                            fdb_.probe_in<where>(destination), same};
        if (!same && learns) fdb_.prefetch_in<where>(probes.source);
        fdb_.prefetch_in<where>(probes.destination);
        return probes;
    }

    // May a frame enter from its port? Drop::none or vlan_filtered. This and the next ask for the
    // bridge port: `frame.input` is the port that the frame came by, or the representative of its
    // aggregation (aggregations.h).
    [[nodiscard]] Drop enter(WorkerIndex worker, const Frame& frame) const {
        const PortSet members = views_[worker].vlans.members(frame.vlan);
        return (members & only(frame.input)) != 0 ? Drop::none : Drop::vlan_filtered;
    }
    // May this source, too? Learns it if it may. Besides the above: static_source, moved_source or
    // fdb_full.
    template <Fdb::Where where = Fdb::Where::hashed>
    Drop accept(WorkerIndex worker, const Frame& frame, const Fdb::Probe& source, uint32_t epoch) {
        if (const Drop why = enter(worker, frame); why != Drop::none) return why;
        const Fdb::Binding known = fdb_.find_in<where>(source);
        if (known.is_fresh(frame.input, epoch)) return Drop::none;
        return learn(worker, frame, source, known, epoch);
    }
    // Where a frame goes, among `links`. Drop::none and `outputs`, or why nowhere: same_port or
    // no_output.
    template <Fdb::Where where = Fdb::Where::hashed>
    Drop route(WorkerIndex worker, const Frame& frame, const Fdb::Probe& destination, PortSet links,
               PortSet& outputs) const {
        return lead(worker, frame, fdb_.find_in<where>(destination), links, outputs);
    }
    // Whether there are VLANs that do not flood to stations that nobody knows, and whether that
    // keeps a frame from going on.
    [[nodiscard]] bool refuses_unknown(WorkerIndex worker) const {
        return !views_[worker].vlans.floods_everywhere();
    }
    [[nodiscard]] bool refuses(WorkerIndex worker, const Frame& frame,
                               const Fdb::Probe& destination) const {
        return !views_[worker].vlans.floods(frame.vlan) &&
               !Fdb::address_of(destination.key).is_group() && !fdb_.find_either(destination);
    }
    // The bridge ports that a frame from `input` may be bridged to: those of its family, and of two
    // that are isolated neither.
    [[nodiscard]] PortSet peers(WorkerIndex worker, PortIndex input) const {
        const PortSet isolated = views_[worker].isolated;
        return peers_[input] & ~((isolated & only(input)) != 0 ? isolated : 0);
    }
    // The same, of ports that have link.
    [[nodiscard]] PortSet reachable(WorkerIndex worker, PortIndex input, PortSet links) const {
        return views_[worker].aggregations.bridge_ports(links) & peers(worker, input);
    }

    [[nodiscard]] const Aggregations& aggregations(WorkerIndex worker) const {
        return views_[worker].aggregations;
    }
    [[nodiscard]] const Mirrors& mirrors(WorkerIndex worker) const {
        return views_[worker].mirrors;
    }
    [[nodiscard]] const LongestFrames& longest_frames(WorkerIndex worker) const {
        return views_[worker].longest_frames;
    }
    // What tells its flow under each hash, for whoever chooses a member by it.
    [[nodiscard]] uint64_t flow_of(DistributionHash by, const Frame& frame,
                                   const Probes& probes) const {
        return Flow(by, flow_seed_)(probes.source.key, probes.destination.key,
                                    {frame.data, frame.length}, frame.network_offset);
    }

    // Whether there are ports that send other tags than came in, and which for one frame.
    [[nodiscard]] bool edits_tags(WorkerIndex worker) const {
        return views_[worker].vlans.edits_tags();
    }
    [[nodiscard]] TagEdit tag_edit(WorkerIndex worker, const Frame& frame, const TagForm& came,
                                   PortIndex output) const {
        return views_[worker].vlans.tag_edit(frame.vlan, came, output);
    }

    // By worker 0: forgets as ordered and what lost its link, learns what the others saw, and ages.
    // `ports` are those with link.
    void tend(PortSet ports, Nanos now);
    // By control.
    [[nodiscard]] FlushOrders& flush_orders() { return flush_orders_; }

    [[nodiscard]] const Fdb& fdb() const { return fdb_; }
    [[nodiscard]] Multicast& multicast() { return multicast_; }
    [[nodiscard]] const Multicast& multicast() const { return multicast_; }

  private:
    [[nodiscard]] uint64_t fingerprint_of_static(const Settings& settings) const;
    [[nodiscard]] Drop lead(WorkerIndex worker, const Frame& frame, Fdb::Binding destination,
                            PortSet links, PortSet& outputs) const;
    // Writes a source that is new, has moved, or was last heard in another epoch; or says why not.
    Drop learn(WorkerIndex worker, const Frame& frame, const Fdb::Probe& source, Fdb::Binding known,
               uint32_t epoch);

    struct Sighting {
        Fdb::Probe source;
        PortIndex port;
        uint32_t epoch;
    };
    struct alignas(64) View {
        VlanTable vlans;
        Aggregations aggregations;
        Mirrors mirrors;
        LongestFrames longest_frames;
        Nanos ageing;
        PortSet isolated = 0;
        PortSet sticky = 0;
        PortSet keeping = 0;  // what was learned there does not move
        bool drops_when_full = false;

        [[nodiscard]] bool keeps(Fdb::Binding known, PortIndex from) const {
            return known && known.port() != from && (keeping & only(known.port())) != 0;
        }
    };
    void take_in(const Sighting& seen);

    // Addresses behind ports that are no longer, or newly, one bridge port.
    void forget_regrouped(const Aggregations& before, const Aggregations& now);

    std::array<PortSet, max_ports> peers_{};
    uint64_t flow_seed_;
    Fdb fdb_;
    std::vector<View> views_;                                        // one a worker
    std::vector<std::unique_ptr<WorkerQueue<Sighting>>> sightings_;  // of workers 1 and on
    PortSet links_seen_ = 0;
    uint64_t static_seen_ = 0;  // fingerprint of the static entries that hold
    FlushOrders flush_orders_;
    Multicast multicast_;
};

}  // namespace sluice
