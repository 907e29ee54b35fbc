#include "dataplane/switch.h"

#include <algorithm>
#include <cassert>

#include "dataplane/retry/retries.h"
#include "dataplane/shard.h"

namespace sluice {

Switch::Switch(const Settings& settings, const OnWorker& on_worker)
    : shared_(settings), retries_(std::make_unique<Retries>()), shards_(settings.workers) {
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        worker_of_.push_back(settings.ports[port].worker);
        retries_->use(port, settings.ports[port].retry);
    }
    for (const LaneSettings& lane : settings.lanes) worker_of_.push_back(lane.worker);
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
        on_worker(worker,
                  [&] { shards_[worker] = std::make_unique<Shard>(worker, settings, shared_); });
    }
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
        on_worker(worker, [&] {
            shards_[worker]->connect_lanes();
            shards_[worker]->adopt(settings);
            shards_[worker]->hand_over();
        });
    }
}

Switch::~Switch() = default;

bool Switch::send_for_control(PortIndex port, std::span<const uint8_t> octets) {
    if (!link(port) || !shared_.mail[port]->due.post(octets)) return false;
    shared_.control_due.fetch_or(only(port), std::memory_order_release);
    return true;
}

void Switch::set_link(PortIndex port, bool up) {
    assert(port < port_count());
    const PortSet links = shared_.links.load(std::memory_order_relaxed);
    shared_.links.store(up ? links | only(port) : links & ~only(port), std::memory_order_relaxed);
    publish_outputs();
}

void Switch::set_lacp_detached(PortSet takes_none, PortSet sends_none) {
    shared_.detached.store(takes_none, std::memory_order_relaxed);
    sends_none_ = sends_none;
    publish_outputs();
}

void Switch::set_loop_shut(PortSet ports) {
    shared_.shut.store(ports, std::memory_order_relaxed);
    publish_outputs();
}

void Switch::set_spanning_tree(PortSet blocked, PortSet learning) {
    shared_.learners.store(blocked & learning, std::memory_order_relaxed);
    shared_.blocked.store(blocked, std::memory_order_relaxed);
    publish_outputs();
}

PortSet Switch::carriers() const {
    const PortSet kept = shared_.detached.load(std::memory_order_relaxed) |
                         shared_.shut.load(std::memory_order_relaxed) | sends_none_;
    return shared_.links.load(std::memory_order_relaxed) & ~kept;
}

void Switch::publish_outputs() {
    const PortSet links = shared_.links.load(std::memory_order_relaxed);
    const PortSet kept = shared_.shut.load(std::memory_order_relaxed) |
                         shared_.blocked.load(std::memory_order_relaxed) | sends_none_;
    shared_.outputs.store(links & ~kept, std::memory_order_relaxed);
}

bool Switch::empty() const {
    // The checks are in the order in which frames move, so that no frame is missed.
    return shared_.crossbar.idle() && shared_.handoff_queues.empty() &&
           std::ranges::all_of(shared_.egress,
                               [](const Egress* egress) { return egress->waiting() == 0; });
}

}  // namespace sluice
