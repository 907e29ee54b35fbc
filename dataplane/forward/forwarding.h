// Forwarding: where a frame goes: VLAN membership, learning, FDB, flood.
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
#include "dataplane/forward/fdb.h"
#include "dataplane/forward/vlan.h"
#include "dataplane/frame.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/limits.h"
#include "dataplane/settings.h"

namespace sluice {

class Forwarding {
  public:
    explicit Forwarding(const Settings& settings);
    void adopt(WorkerIndex worker, const Settings& settings);

    // Where to look for the two addresses of a frame.
    struct Probes {
        Fdb::Probe source;
        Fdb::Probe destination;
    };
    // Hashes them, and asks for the memory they will need.
    [[nodiscard]] Probes prepare(const Frame& frame, const Headers& headers) const {
        const Probes probes{fdb_.probe(Fdb::key_of(frame.vlan, headers.source)),
                            fdb_.probe(Fdb::key_of(frame.vlan, headers.destination))};
        fdb_.prefetch(probes.source);
        fdb_.prefetch(probes.destination);
        return probes;
    }

    // Where a frame goes, as one worker asks it. Drop::none and `outputs`, or why nowhere:
    // vlan_filtered, static_source, same_port or no_output. Learns its source by the way.
    Drop route(WorkerIndex worker, const Frame& frame, const Probes& probes, PortSet links,
               uint32_t epoch, PortSet& outputs);

    // By worker 0: learns what the others saw, forgets what lost its link, and ages.
    void tend(PortSet links, Nanos now);
    // By control.
    void request_flush() { flush_requested_.store(true, std::memory_order_release); }

    [[nodiscard]] const Fdb& fdb() const { return fdb_; }

  private:
    // Writes a source that is new, has moved, or was last heard in another epoch.
    Drop learn(WorkerIndex worker, const Frame& frame, const Fdb::Probe& source, Fdb::Binding known,
               uint32_t epoch);

    struct Sighting {
        Fdb::Probe source;
        PortIndex port;
        uint32_t epoch;
    };
    // From one worker to worker 0.
    struct alignas(64) SightingQueue {
        static constexpr uint32_t capacity = 1024;
        std::array<Sighting, capacity> ring;
        std::atomic<uint32_t> tail{0};
        alignas(64) std::atomic<uint32_t> head{0};

        void push(const Sighting& sighting);
    };
    struct alignas(64) View {
        VlanTable vlans;
        Nanos ageing;
    };

    Fdb fdb_;
    std::vector<View> views_;                                // one a worker
    std::vector<std::unique_ptr<SightingQueue>> sightings_;  // of workers 1 and on
    PortSet links_seen_ = 0;
    std::atomic<bool> flush_requested_{false};
};

}  // namespace sluice
