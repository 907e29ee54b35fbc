// Switch: the whole dataplane: the shards of its workers (shard.h has a frame's journey), the state
// that they share, and the interface for control.
//
// An input of the crossbar is a port, or a further lane of a port that is too fast for one core.
// Each receive queue of the port belongs to a lane, and the worker of that lane polls it. Lanes
// have VOQs and counters of their own; other code uses only their port. A frame keeps its order
// within its lane, so all frames of a flow have to use one lane. Inputs that are further lanes are
// numbered after the ports. The port's worker sends and obeys pauses, and receives LLDP. A further
// lane passes to that worker the control frames that it receives and the pauses that it requests,
// and receives no frames while such a request is pending (`Shard::waits_for_port`).
//
// Each worker calls only its own shard; with one worker there is one thread, which never waits.
// Control calls this class, from one thread. Workers call Shard, whose header control does not
// include (tests/house checks that).
// Bound: no allocation after the constructor, except for an observer, which control owns; no clock,
// no system call, no exception.
#pragma once

#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/shared_state.h"
#include "dataplane/types/hot_memory.h"

namespace sluice {

class Retries;
class Shard;

class Switch : public InHotMemory {
  public:
    // Runs a function for a worker and returns after it: in this thread, or in that worker's
    // thread.
    using OnWorker = std::function<void(WorkerIndex, const std::function<void()>&)>;
    // Allocates all memory of the switch. `settings` must be valid (config checks that). Each shard
    // is made by `on_worker` of its worker, so that its memory may be near that worker's core.
    explicit Switch(const Settings& settings, const OnWorker& on_worker = here);
    ~Switch();

    // --- by workers (shard.h) -------------------------------------------------------------------
    [[nodiscard]] Shard& shard(WorkerIndex worker) {
        assert(worker < shards_.size());
        return *shards_[worker];
    }
    [[nodiscard]] Shard& shard_of(InputIndex input) { return *shards_[worker_of(input)]; }

    // --- by control -----------------------------------------------------------------------------
    // Returns the frames of a control protocol that `port` received, oldest first.
    [[nodiscard]] Mailbox& received(PortIndex port,
                                    ControlProtocol protocol = ControlProtocol::lldp) {
        assert(port < port_count());
        return shared_.mail[port]->received(protocol);
    }
    // Sets whether pause trials (pfc/pause_trial.h) that a port receives are posted to `received`
    // with LLDP.
    void want_trials(PortIndex port, bool wanted) { shared_.mail[port]->wants_trials(wanted); }
    // Returns the link-level retry of its ports (retry/retries.h has the callers).
    [[nodiscard]] Retries& retries() const { return *retries_; }
    // Makes the port's worker send the frame ahead of data. Returns false if too many frames wait
    // already, or the link is down.
    bool send_for_control(PortIndex port, std::span<const uint8_t> octets);
    // Sets a port's link. A port without link is not an output; its queued frames are flushed.
    void set_link(PortIndex port, bool up);
    // Sets the members of aggregations that LACP closes: ports that receive no data, and ports that
    // send none, whose queues are flushed. Without LACP both sets are empty.
    void set_lacp_detached(PortSet takes_none, PortSet sends_none);
    // Sets the ports that the loop guard shut: they neither receive nor send data, and their queues
    // are flushed.
    void set_loop_shut(PortSet ports);
    // Sets the ports that the spanning tree blocks: they neither receive nor send data, and their
    // queues are flushed. Those in `learning` learn the source addresses of the frames that they
    // drop. Without RSTP both sets are empty.
    void set_spanning_tree(PortSet blocked, PortSet learning);
    // Sets whether the peer of a port supports credit, and the priorities that it offers.
    void set_credit_peer(PortIndex port, CreditPeer peer, PrioritySet offered) {
        shared_.credit_offers[port].store(offered, std::memory_order_relaxed);
        shared_.credit_peers[port].store(peer, std::memory_order_relaxed);
    }
    // Sets the source address of the switch's own loop probes; received ones are passed to control
    // only. 0: no probes are sent.
    void set_loop_probe_source(uint64_t sender) {
        shared_.loop_guard.store(sender, std::memory_order_relaxed);
    }
    [[nodiscard]] uint64_t loop_probe_source() const {
        return shared_.loop_guard.load(std::memory_order_relaxed);
    }
    // Orders worker 0 to forget learned entries in its next `housekeep`: all, or those in a VLAN or
    // at a port. Called by any thread.
    void flush_fdb() { shared_.forwarding.flush_orders().all(); }
    void flush_fdb_vlan(VlanId vlan) { shared_.forwarding.flush_orders().vlan(vlan); }
    // Resets the watermarks of VOQs, groups and the pool. Each worker clears those of one input a
    // poll.
    void clear_watermarks() { shared_.watermark_clearings.fetch_add(1, std::memory_order_relaxed); }
    // Binds an address of EVPN to a tunnel, or ends the binding; and sets the tunnels to which no
    // frame is flooded (forwarding.h).
    bool order_remote(VlanId vlan, MacAddress address, RemoteOrder order) {
        return shared_.forwarding.order_remote(vlan, address, order);
    }
    std::size_t remote_orders_not_taken() { return shared_.forwarding.remote_orders_not_taken(); }
    void set_unflooded(PortSet ports) { shared_.forwarding.set_unflooded(ports); }
    // Returns the addresses that control answers, and the stations that it knows, for suppression
    // of ARP and ND.
    [[nodiscard]] NeighbourFilter& neighbours() { return shared_.forwarding.neighbours(); }
    // Restores an entry that was learned before a restart (forwarding.h); returns whether it did.
    // Called before workers run.
    bool restore(const RememberedAddress& remembered, Nanos now) {
        return shared_.forwarding.restore(remembered, now);
    }
    // Sets the board to which workers write ordered traces. It must outlive this object.
    void trace_on(TraceBoard& board) {
        shared_.trace_board.store(&board, std::memory_order_release);
    }
    // Return the slots of a worker's recorder reel and queue sampler (recorder/, ipfix/). A reel or
    // sampler outlives the switch, or is removed from its slot before.
    [[nodiscard]] WorkerSlot<Reel>& reel_slot(WorkerIndex worker) { return shared_.reels[worker]; }
    [[nodiscard]] WorkerSlot<QueueSampler>& sampler_slot(WorkerIndex worker) {
        return shared_.samplers[worker];
    }
    // Return the points where captures attach to a worker, and the frames that the worker sampled
    // for sFlow.
    [[nodiscard]] CapturePoints& capture_points(WorkerIndex worker) {
        return *shared_.capture_points[worker];
    }
    [[nodiscard]] FlowSampling& sampling(WorkerIndex worker) { return *shared_.sampling[worker]; }
    // Returns a shard of forwarding for the packet tracer (trace/what_if.h).
    [[nodiscard]] std::unique_ptr<Forwarding::Shard> forwarding_observer(const Settings& with) {
        return shared_.forwarding.observer(with);
    }
    void flush_fdb_port(PortIndex port) { shared_.forwarding.flush_orders().port(port); }

    // --- read access (any thread; each value was true at some moment) ---------------------------
    [[nodiscard]] std::size_t port_count() const { return shared_.port_count(); }
    [[nodiscard]] WorkerIndex worker_count() const {
        return static_cast<WorkerIndex>(shards_.size());
    }
    [[nodiscard]] std::size_t input_count() const { return shared_.ingress.size(); }
    // The inputs that are lanes of `port`: the port itself and its further lanes.
    [[nodiscard]] InputSet lanes_of(PortIndex port) const {
        assert(port < port_count());
        return shared_.lanes_of[port];
    }
    // Returns the sum over the lanes of `port` of the result of `of` for each lane.
    template <class Of>
    [[nodiscard]] auto sum_of_lanes(PortIndex port, Of of) const {
        auto sum = of(InputIndex(port));
        for_each_input(lanes_of(port) & ~only(port), [&](InputIndex lane) { sum += of(lane); });
        return sum;
    }
    [[nodiscard]] PortIndex port_of(InputIndex input) const { return ingress(input).port(); }
    [[nodiscard]] WorkerIndex worker_of(InputIndex input) const {
        assert(input.number < input_count());
        return worker_of_[input.number];
    }
    [[nodiscard]] bool link(PortIndex port) const {
        return (shared_.links.load(std::memory_order_relaxed) & only(port)) != 0;
    }
    // Return the ports that may send data; and why one port accepts none.
    [[nodiscard]] PortSet outputs() const {
        return shared_.outputs.load(std::memory_order_relaxed);
    }
    [[nodiscard]] Drop refusal(PortIndex port) const { return shared_.refusal(port); }
    // Returns the ports with link that are open, or that only the spanning tree closes.
    [[nodiscard]] PortSet carriers() const;
    // Returns the state of a port that uses credit.
    [[nodiscard]] const CreditWatch& credit(PortIndex port) const { return *shared_.credit[port]; }
    // Returns a worker's CSIG state.
    [[nodiscard]] const CsigPorts& csig(WorkerIndex worker) const { return *shared_.csig[worker]; }
    [[nodiscard]] CreditPeer credit_peer(PortIndex port) const {
        return shared_.credit_peers[port].load(std::memory_order_relaxed);
    }
    [[nodiscard]] const PortCounters& counters(InputIndex input) const {
        assert(input.number < input_count());
        return *shared_.counters[input.number];
    }
    [[nodiscard]] const Ingress& ingress(InputIndex input) const {
        assert(input.number < input_count());
        return *shared_.ingress[input.number];
    }
    [[nodiscard]] const Egress& egress(PortIndex port) const {
        assert(port < port_count());
        return *shared_.egress[port];
    }
    [[nodiscard]] const Crossbar& crossbar() const { return shared_.crossbar; }
    [[nodiscard]] const Fdb& fdb() const { return shared_.forwarding.fdb(); }
    // Calls `see` with the address moves refused since the last call (refused_move.h). Called by
    // control, in one thread.
    template <class See>
    void take_refused_moves(See see) {
        shared_.forwarding.take_refused_moves(see);
    }
    // Calls `see` with queries and leaves received since the last call, if control is a querier
    // (membership_news.h). Called by control.
    template <class See>
    void take_membership_news(See see) {
        shared_.forwarding.take_membership_news(see);
    }
    [[nodiscard]] const Multicast& multicast() const { return shared_.forwarding.multicast(); }
    [[nodiscard]] const SharedBuffer& pool() const { return shared_.pool; }
    [[nodiscard]] const Latency& latency(WorkerIndex worker) const {
        assert(worker < worker_count());
        return *shared_.latency[worker];
    }
    // Returns the octets that wait for an output in the VOQs of all inputs.
    [[nodiscard]] Bytes depth(QueueKey column) const { return shared_.depth(column); }
    // Whether no frame waits in any queue. Exact only while no worker receives.
    [[nodiscard]] bool empty() const;

  private:
    static void here(WorkerIndex, const std::function<void()>& make) { make(); }
    void publish_outputs();

    SharedState shared_;
    const std::unique_ptr<Retries> retries_;
    PortSet sends_none_ = 0;              // ports that LACP keeps from sending data
    std::vector<WorkerIndex> worker_of_;  // worker of each input
    std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace sluice
