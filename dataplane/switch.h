// Switch: the whole dataplane: the shards of its workers (shard.h has a frame's journey), what they
// share, and what control does and sees.
//
// An input of the crossbar is a port, or a further lane of a port that is too fast for one core:
// frames of each of its receive queues are given to a lane, by the worker of that lane. Lanes have
// VOQs and counters of their own; to everything else they are their port. A frame keeps its order
// within its lane, so each flow has to stay in one. As inputs they come after the ports. Pauses are
// sent and obeyed, and LLDP is received, by the port's worker. A further lane passes to that worker
// what it receives of them and which pauses it requests, and receives nothing while such a request
// is pending (`Shard::waits_for_port`).
//
// Each worker calls its shard and nothing else; with one worker everything is one thread and
// nothing waits for anybody. Control calls what is here, from one thread: what a worker calls is in
// another header, which nothing in control includes (tests/house sees to that).
// Bound: no allocation after the constructor but for an observer, which is control's; no clock, no
// system call, no exception.
#pragma once

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
    // Does something for a worker before it returns: here, or on that worker's own thread.
    using OnWorker = std::function<void(WorkerIndex, const std::function<void()>&)>;
    // Takes all memory there will ever be. `settings` must be valid (config does that). Each shard
    // is made `on_worker` of its worker, so that it may lie where that one is quick to reach it.
    explicit Switch(const Settings& settings, const OnWorker& on_worker = here);
    ~Switch();

    // --- by workers (shard.h) -------------------------------------------------------------------
    [[nodiscard]] Shard& shard(WorkerIndex worker) { return *shards_[worker]; }
    [[nodiscard]] Shard& shard_of(InputIndex input) { return *shards_[worker_of(input)]; }

    // --- by control -----------------------------------------------------------------------------
    // What `port` received for control of a protocol, oldest first.
    [[nodiscard]] Mailbox& received(PortIndex port,
                                    ControlProtocol protocol = ControlProtocol::lldp) {
        return shared_.mail[port]->received(protocol);
    }
    // Whether pause trials (pfc/pause_trial.h) that a port receives come with LLDP in `received`.
    void want_trials(PortIndex port, bool wanted) { shared_.mail[port]->wants_trials(wanted); }
    // Link-level retry of its ports (retry/retries.h says who calls what).
    [[nodiscard]] Retries& retries() const { return *retries_; }
    // Has the port's worker send the frame ahead of data. False: it has too many already, or there
    // is no link.
    bool send_for_control(PortIndex port, std::span<const uint8_t> octets);
    // A port without link is no output, and what waits for it is flushed.
    void set_link(PortIndex port, bool up);
    // Members that LACP keeps data from: ports that receive none, and ports that send none, for
    // which what waits is flushed. Without LACP both are empty.
    void set_lacp_detached(PortSet takes_none, PortSet sends_none);
    // Ports that the loop guard shut: they neither receive nor send data, and what waits for them
    // is flushed.
    void set_loop_shut(PortSet ports);
    // Ports that the spanning tree keeps from forwarding, as with the loop guard; of these
    // `learning` learn the sources of what they drop. Without it both are empty.
    void set_spanning_tree(PortSet blocked, PortSet learning);
    // Whether the peer of a port goes by credit, as far as is known, and of which priorities.
    void set_credit_peer(PortIndex port, CreditPeer peer, PrioritySet offered) {
        shared_.credit_offers[port].store(offered, std::memory_order_relaxed);
        shared_.credit_peers[port].store(peer, std::memory_order_relaxed);
    }
    // The source address of the switch's own loop probes: one that comes back goes to control, and
    // no further. 0: none are sent.
    void set_loop_probe_source(uint64_t sender) {
        shared_.loop_guard.store(sender, std::memory_order_relaxed);
    }
    [[nodiscard]] uint64_t loop_probe_source() const {
        return shared_.loop_guard.load(std::memory_order_relaxed);
    }
    // From any thread: forgets learned entries, all or those in a VLAN or at a port. Done by the
    // next `housekeep` of worker 0.
    void flush_fdb() { shared_.forwarding.flush_orders().all(); }
    void flush_fdb_vlan(VlanId vlan) { shared_.forwarding.flush_orders().vlan(vlan); }
    // The most that VOQs, groups and the pool ever held; each worker clears its own, an input a
    // poll.
    void clear_watermarks() { shared_.watermark_clearings.fetch_add(1, std::memory_order_relaxed); }
    // Binds an address of EVPN to a tunnel, or ends that; and sets which tunnels get no floods
    // (forwarding.h).
    bool order_remote(VlanId vlan, MacAddress address, RemoteOrder order) {
        return shared_.forwarding.order_remote(vlan, address, order);
    }
    std::size_t remote_orders_not_taken() { return shared_.forwarding.remote_orders_not_taken(); }
    void set_unflooded(PortSet ports) { shared_.forwarding.set_unflooded(ports); }
    // Addresses that control answers for and stations that it knows, where ARP and ND are
    // suppressed.
    [[nodiscard]] NeighbourFilter& neighbours() { return shared_.forwarding.neighbours(); }
    // Before workers run: learns what was learned before a restart (forwarding.h). Whether it did.
    bool restore(const RememberedAddress& remembered, Nanos now) {
        return shared_.forwarding.restore(remembered, now);
    }
    // The board on which workers trace frames, whenever a trace is ordered. It outlives this.
    void trace_on(TraceBoard& board) {
        shared_.trace_board.store(&board, std::memory_order_release);
    }
    // Where a worker gets what it records on and what it samples queues with (recorder/, ipfix/).
    // What it was given outlives this, or is taken away before.
    [[nodiscard]] WorkerSlot<Reel>& reel_slot(WorkerIndex worker) { return shared_.reels[worker]; }
    [[nodiscard]] WorkerSlot<QueueSampler>& sampler_slot(WorkerIndex worker) {
        return shared_.samplers[worker];
    }
    // Where captures listen to a worker, and what it picked for sFlow.
    [[nodiscard]] CapturePoints& capture_points(WorkerIndex worker) {
        return *shared_.capture_points[worker];
    }
    [[nodiscard]] FlowSampling& sampling(WorkerIndex worker) { return *shared_.sampling[worker]; }
    // For asking where frames would go (trace/what_if.h).
    [[nodiscard]] std::unique_ptr<Forwarding::Shard> forwarding_observer(const Settings& with) {
        return shared_.forwarding.observer(with);
    }
    void flush_fdb_port(PortIndex port) { shared_.forwarding.flush_orders().port(port); }

    // --- what can be seen (any thread; each value is one that was true) --------------------------
    [[nodiscard]] std::size_t port_count() const { return shared_.port_count(); }
    [[nodiscard]] WorkerIndex worker_count() const {
        return static_cast<WorkerIndex>(shards_.size());
    }
    [[nodiscard]] std::size_t input_count() const { return shared_.ingress.size(); }
    // The inputs that are lanes of `port`: itself, and those further ones that it has.
    [[nodiscard]] InputSet lanes_of(PortIndex port) const { return shared_.lanes_of[port]; }
    // The sum over them of what `of` returns for one.
    template <class Of>
    [[nodiscard]] auto sum_of_lanes(PortIndex port, Of of) const {
        auto sum = of(InputIndex(port));
        for_each_input(lanes_of(port) & ~only(port), [&](InputIndex lane) { sum += of(lane); });
        return sum;
    }
    [[nodiscard]] PortIndex port_of(InputIndex input) const { return ingress(input).port(); }
    [[nodiscard]] WorkerIndex worker_of(InputIndex input) const { return worker_of_[input.number]; }
    [[nodiscard]] bool link(PortIndex port) const {
        return (shared_.links.load(std::memory_order_relaxed) & only(port)) != 0;
    }
    // Ports that data leaves by, and why one takes none.
    [[nodiscard]] PortSet outputs() const {
        return shared_.outputs.load(std::memory_order_relaxed);
    }
    [[nodiscard]] Drop refusal(PortIndex port) const { return shared_.refusal(port); }
    // Ports with link that nothing but the spanning tree keeps data from.
    [[nodiscard]] PortSet carriers() const;
    // Of a port by credit.
    [[nodiscard]] const CreditWatch& credit(PortIndex port) const { return *shared_.credit[port]; }
    // What a worker knows of CSIG.
    [[nodiscard]] const CsigPorts& csig(WorkerIndex worker) const { return *shared_.csig[worker]; }
    [[nodiscard]] CreditPeer credit_peer(PortIndex port) const {
        return shared_.credit_peers[port].load(std::memory_order_relaxed);
    }
    [[nodiscard]] const PortCounters& counters(InputIndex input) const {
        return *shared_.counters[input.number];
    }
    [[nodiscard]] const Ingress& ingress(InputIndex input) const {
        return *shared_.ingress[input.number];
    }
    [[nodiscard]] const Egress& egress(PortIndex port) const { return *shared_.egress[port]; }
    [[nodiscard]] const Crossbar& crossbar() const { return shared_.crossbar; }
    [[nodiscard]] const Fdb& fdb() const { return shared_.forwarding.fdb(); }
    // By control, one thread: moves that were refused since the last time (refused_move.h).
    template <class See>
    void take_refused_moves(See see) {
        shared_.forwarding.take_refused_moves(see);
    }
    // Likewise queries of others and leaves where control queries (membership_news.h).
    template <class See>
    void take_membership_news(See see) {
        shared_.forwarding.take_membership_news(see);
    }
    [[nodiscard]] const Multicast& multicast() const { return shared_.forwarding.multicast(); }
    [[nodiscard]] const SharedBuffer& pool() const { return shared_.pool; }
    [[nodiscard]] const Latency& latency(WorkerIndex worker) const {
        return *shared_.latency[worker];
    }
    // What waits for an output in the VOQs of all inputs.
    [[nodiscard]] Bytes depth(QueueKey column) const { return shared_.depth(column); }
    // True when no frame waits anywhere. Exact only while nobody receives.
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
