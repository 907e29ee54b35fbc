#include "pmd_glue/ring_pair.h"

#include <rte_bus_vdev.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_ring.h>
#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "pmd_glue/driver_log.h"

namespace sluice::pmd {
namespace {

struct Pair {
    // One ring for each queue.
    std::vector<rte_ring*> to_a;
    std::vector<rte_ring*> to_b;  // equal to `to_a` for a loop
    bool loop = false;
    bool a_open = false;
    bool b_open = false;
};

struct Registry {
    std::mutex mutex;
    std::map<std::string, Pair> pairs;
    unsigned next = 0;  // number in the names of rings and devices, which must be short in DPDK
};

Registry& registry() {
    static Registry all;
    return all;
}

// Returns the rings; the last is null if it could not be made.
std::vector<rte_ring*> make_rings(Registry& all, unsigned size, uint16_t queues) {
    std::vector<rte_ring*> rings;
    while (rings.size() < queues) {
        const std::string name = "sluice" + std::to_string(all.next++);
        rings.push_back(
            rte_ring_create(name.c_str(), size, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ));
    }
    return rings;
}

bool all_made(const std::vector<rte_ring*>& rings) {
    return std::ranges::find(rings, nullptr) == rings.end();
}

void drain_and_free(const std::vector<rte_ring*>& rings) {
    for (rte_ring* const ring : rings) {
        for (void* buffer = nullptr; ring != nullptr && rte_ring_dequeue(ring, &buffer) == 0;) {
            rte_pktmbuf_free(static_cast<rte_mbuf*>(buffer));
        }
        rte_ring_free(ring);
    }
}

void release(Registry& all, const std::string& name) {
    const auto found = all.pairs.find(name);
    if (found == all.pairs.end() || found->second.a_open || found->second.b_open) return;
    drain_and_free(found->second.to_a);
    if (!found->second.loop) drain_and_free(found->second.to_b);
    all.pairs.erase(found);
}

}  // namespace

tl::expected<uint16_t, Error> open_ring(const std::string& name, RingEnd end, unsigned size,
                                        uint16_t queues) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    const auto [found, fresh] = all.pairs.try_emplace(name);
    Pair& pair = found->second;
    const std::string device = "ring:" + name;
    if (fresh) {
        pair.loop = end == RingEnd::loop;
        pair.to_a = make_rings(all, size, queues);
        pair.to_b = pair.loop ? pair.to_a : make_rings(all, size, queues);
    } else if (pair.loop || end == RingEnd::loop) {
        return tl::unexpected(Error{
            device, pair.loop ? "it is open already, as a loop" : "its two ends are open already",
            "use another name for this ring"});
    } else if (pair.to_a.size() != queues) {
        return tl::unexpected(
            Error{device, "its other end has " + std::to_string(pair.to_a.size()) + " queues",
                  "give both ends the same `queues=`"});
    }
    bool& open = end == RingEnd::b ? pair.b_open : pair.a_open;
    if (open) {
        return tl::unexpected(
            Error{device, "this end is open already", "use the other end, or another name"});
    }
    std::vector<rte_ring*>& rx = end == RingEnd::b ? pair.to_b : pair.to_a;
    std::vector<rte_ring*>& tx = end == RingEnd::a ? pair.to_b : pair.to_a;
    int port = -1;
    if (all_made(rx) && all_made(tx)) {
        const std::string label = "sluice" + std::to_string(all.next++);
        port = rte_eth_from_rings(label.c_str(), rx.data(), queues, tx.data(), queues,
                                  rte_socket_id());
    }
    if (port < 0) {
        release(all, name);
        return tl::unexpected(explain(device, "the rings cannot be made", ""));
    }
    open = true;
    return static_cast<uint16_t>(port);
}

void close_ring(const std::string& name, RingEnd end) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    const auto found = all.pairs.find(name);
    if (found == all.pairs.end()) return;
    (end == RingEnd::b ? found->second.b_open : found->second.a_open) = false;
    release(all, name);
}

}  // namespace sluice::pmd
