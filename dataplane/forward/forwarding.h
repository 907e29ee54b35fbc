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

    // Both tables of a frame that will come up soon.
    void prefetch(const Frame& frame, const Headers& headers) const {
        fdb_.prefetch(Fdb::key_of(frame.vlan, headers.source));
        fdb_.prefetch(Fdb::key_of(frame.vlan, headers.destination));
    }

    // 802.1Q 8.6.2: is the input a member of the frame's VLAN?
    [[nodiscard]] bool accepts(WorkerIndex worker, const Frame& frame) const {
        return (views_[worker].vlans.members(frame.vlan) & only(frame.input)) != 0;
    }
    // Learns the source. Drop::static_source if the address is bound to another port.
    Drop learn(WorkerIndex worker, const Frame& frame, const Headers& headers, uint32_t epoch);
    // Sets `outputs`, or says why there are none.
    Drop outputs_for(WorkerIndex worker, const Frame& frame, const Headers& headers, PortSet links,
                     PortSet& outputs) const;

    // By worker 0: learns what the others saw, forgets what lost its link, and ages.
    void tend(PortSet links, Nanos now);
    // By control.
    void request_flush() { flush_requested_.store(true, std::memory_order_release); }

    [[nodiscard]] const Fdb& fdb() const { return fdb_; }

  private:
    struct Sighting {
        Fdb::Key key;
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
