// Switch: the whole dataplane: the shards of its workers (shard.h has a frame's journey), the state
// that they share, and the interface for control.
//
// An input of the crossbar is a port, or a further lane of a port that is too fast for one core.
// Each receive queue of the port belongs to a lane, and the worker of that lane polls it. Lanes
// have VOQs and counters of their own; everything else sees only their port. A frame keeps its
// order within its lane, so all frames of a flow have to use one lane. Inputs that are further
// lanes are numbered after the ports. The port's worker sends and obeys pauses, and receives LLDP.
// A further lane passes to that worker the control frames that it receives and the pauses that it
// requests, and receives nothing while such a request is pending (`Shard::waits_for_port`).
//
// Each worker calls its own shard and nothing else; with one worker everything is one thread and
// nothing waits. Control calls this class, from one thread. What workers call is in another header,
// which nothing in control includes (tests/house checks that).
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
    // Runs a function for a worker before it returns: in this thread, or on that worker's own
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
    // Frames of a control protocol that `port` received, oldest first.
    [[nodiscard]] Mailbox& received(PortIndex port,
                                    ControlProtocol protocol = ControlProtocol::lldp) {
        assert(port < port_count());
        return shared_.mail[port]->received(protocol);
    }
    // Whether pause trials (pfc/pause_trial.h) that a port receives are put into `received` with
    // LLDP.
    void want_trials(PortIndex port, bool wanted) { shared_.mail[port]->wants_trials(wanted); }
    // Link-level retry of its ports (retry/retries.h says who calls what).
    [[nodiscard]] Retries& retries() const { return *retries_; }
    // Has the port's worker send the frame ahead of data. False: too many frames wait already, or
    // the link is down.
    bool send_for_control(PortIndex port, std::span<const uint8_t> octets);
    // A port without link is no output; the frames that wait for it are flushed.
    void set_link(PortIndex port, bool up);
    // Members of aggregations that LACP closes: ports that receive no data, and ports that send
    // none, whose queues are flushed. Without LACP both sets are empty.
    void set_lacp_detached(PortSet takes_none, PortSet sends_none);
    // Ports that the loop guard shut: they neither receive nor send data, and their queues are
    // flushed.
    void set_loop_shut(PortSet ports);
    // Ports that the spanning tree keeps from forwarding, as with the loop guard. The ports of
    // `learning` among them learn the source addresses of the frames that they drop. Without RSTP
    // both are empty.
    void set_spanning_tree(PortSet blocked, PortSet learning);
    // Whether the peer of a port uses credit, as far as is known, and for which priorities.
    void set_credit_peer(PortIndex port, CreditPeer peer, PrioritySet offered) {
        shared_.credit_offers[port].store(offered, std::memory_order_relaxed);
        shared_.credit_peers[port].store(peer, std::memory_order_relaxed);
    }
    // The source address of the switch's own loop probes: a probe that comes back goes to control
    // only. 0: no probes are sent.
    void set_loop_probe_source(uint64_t sender) {
        shared_.loop_guard.store(sender, std::memory_order_relaxed);
    }
    [[nodiscard]] uint64_t loop_probe_source() const {
        return shared_.loop_guard.load(std::memory_order_relaxed);
    }
    // From any thread: forgets learned entries: all, or those in a VLAN or at a port. Worker 0 does
    // so in its next `housekeep`.
    void flush_fdb() { shared_.forwarding.flush_orders().all(); }
    void flush_fdb_vlan(VlanId vlan) { shared_.forwarding.flush_orders().vlan(vlan); }
    // Resets the watermarks of VOQs, groups and the pool. Each worker clears its own, one input a
    // poll.
    void clear_watermarks() { shared_.watermark_clearings.fetch_add(1, std::memory_order_relaxed); }
    // Binds an address of EVPN to a tunnel, or ends the binding; and sets which tunnels get no
    // floods (forwarding.h).
    bool order_remote(VlanId vlan, MacAddress address, RemoteOrder order) {
        return shared_.forwarding.order_remote(vlan, address, order);
    }
    std::size_t remote_orders_not_taken() { return shared_.forwarding.remote_orders_not_taken(); }
    void set_unflooded(PortSet ports) { shared_.forwarding.set_unflooded(ports); }
    // Addresses that control answers for, and stations that control knows, for suppression of ARP
    // and ND.
    [[nodiscard]] NeighbourFilter& neighbours() { return shared_.forwarding.neighbours(); }
    // Before workers run: restores an entry that was learned before a restart (forwarding.h).
    // Returns whether it did.
    bool restore(const RememberedAddress& remembered, Nanos now) {
        return shared_.forwarding.restore(remembered, now);
    }
    // The board on which workers trace frames when a trace is ordered. The board outlives this.
    void trace_on(TraceBoard& board) {
        shared_.trace_board.store(&board, std::memory_order_release);
    }
    // Where a worker finds its recorder's reel and its queue sampler (recorder/, ipfix/). A reel or
    // sampler outlives the switch, or is taken out of its slot before.
    [[nodiscard]] WorkerSlot<Reel>& reel_slot(WorkerIndex worker) { return shared_.reels[worker]; }
    [[nodiscard]] WorkerSlot<QueueSampler>& sampler_slot(WorkerIndex worker) {
        return shared_.samplers[worker];
    }
    // Where captures attach to a worker, and the frames that it sampled for sFlow.
    [[nodiscard]] CapturePoints& capture_points(WorkerIndex worker) {
        return *shared_.capture_points[worker];
    }
    [[nodiscard]] FlowSampling& sampling(WorkerIndex worker) { return *shared_.sampling[worker]; }
    // For predicting where frames would go (trace/what_if.h).
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
    // The sum over these lanes of what `of` returns for one lane.
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
    // Ports that data may leave by, and why one port takes none.
    [[nodiscard]] PortSet outputs() const {
        return shared_.outputs.load(std::memory_order_relaxed);
    }
    [[nodiscard]] Drop refusal(PortIndex port) const { return shared_.refusal(port); }
    // Ports with link that are open, or closed by the spanning tree alone.
    [[nodiscard]] PortSet carriers() const;
    // State of a port that uses credit.
    [[nodiscard]] const CreditWatch& credit(PortIndex port) const { return *shared_.credit[port]; }
    // A worker's state of CSIG.
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
    // From control, in one thread: address moves that were refused since the last call
    // (refused_move.h).
    template <class See>
    void take_refused_moves(See see) {
        shared_.forwarding.take_refused_moves(see);
    }
    // The same for queries and leaves that others sent, if control queries (membership_news.h).
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
    // The octets that wait for an output in the VOQs of all inputs.
    [[nodiscard]] Bytes depth(QueueKey column) const { return shared_.depth(column); }
    // True when no frame waits anywhere. Exact only while no worker receives.
    [[nodiscard]] bool empty() const;

  private:
    static void here(WorkerIndex, const std::function<void()>& make) { make(); }
    void publish_outputs();

    SharedState shared_;
    const std::unique_ptr<Retries> retries_;
    PortSet sends_none_ = 0;              // by LACP
    std::vector<WorkerIndex> worker_of_;  // of each input
    std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace sluice
