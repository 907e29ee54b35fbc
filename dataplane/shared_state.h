// SharedState: the state that the shards of a switch share (shard.h), and the state of other shards
// that a shard may read. Each word has one writer. The exceptions are four words that several
// threads change, seldom and not for each frame: the sets of ports down, given_up and control_due
// by atomic read-modify-write, and edits_tags, which is only ever set.
// Bound: fixed by the settings. Not here: when it is used (Shard, Switch).
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <vector>

#include "dataplane/buffer/dynamic_threshold.h"
#include "dataplane/capture/capture_points.h"
#include "dataplane/credits/credit_end.h"
#include "dataplane/credits/credit_watch.h"
#include "dataplane/csig/csig_ports.h"
#include "dataplane/egress/egress.h"
#include "dataplane/fabric/crossbar.h"
#include "dataplane/fabric/handoff.h"
#include "dataplane/forward/forwarding.h"
#include "dataplane/ingress/control_mail.h"
#include "dataplane/ingress/ingress.h"
#include "dataplane/latency/latency.h"
#include "dataplane/sflow/flow_sampling.h"
#include "dataplane/threads/worker_slot.h"
#include "dataplane/trace/trace_board.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/port_counters.h"
#include "dataplane/types/settings.h"

namespace sluice {

class QueueSampler;
class Reel;

struct SharedState {
    explicit SharedState(const Settings& settings)
        : pool(shared_size(settings), settings.buffer.cell, settings.workers),
          forwarding(settings),
          crossbar(settings.fabric, settings.ports.size() + settings.lanes.size(),
                   settings.workers),
          handoff_queues(settings.workers, most_inputs_of_a_worker(settings)),
          ingress(settings.ports.size() + settings.lanes.size()),
          egress(settings.ports.size()),
          credit(settings.ports.size()),
          counters(settings.ports.size() + settings.lanes.size()),
          mail(settings.ports.size()),
          lane_mail(settings.lanes.size()),
          latency(settings.workers),
          csig(settings.workers),
          capture_points(settings.workers),
          sampling(settings.workers) {
        for (PortIndex port = 0; port < settings.ports.size(); ++port)
            lanes_of.push_back(only(port));
        for (std::size_t lane = 0; lane < settings.lanes.size(); ++lane) {
            const auto number = static_cast<uint8_t>(settings.ports.size() + lane);
            lanes_of[settings.lanes[lane].port] |= only(InputIndex(number));
        }
    }

    // Returns the octets that wait for an output in the VOQs of all inputs.
    [[nodiscard]] Bytes depth(QueueKey column) const {
        Bytes sum;
        for (const Ingress* input : ingress)
            sum += input->voq(column.output, column.priority).bytes();
        return sum;
    }
    // Returns why a port accepts no data, or none.
    [[nodiscard]] Drop refusal(PortIndex port) const {
        const auto has = [&](const std::atomic<PortSet>& ports) {
            return (ports.load(std::memory_order_relaxed) & only(port)) != 0;
        };
        if (has(down)) return Drop::ingress_down;
        if (has(detached)) return Drop::lacp_detached;
        if (has(shut)) return Drop::loop_shut;
        return has(blocked) ? Drop::stp_discarding : Drop::none;
    }
    // Whether a port learns although it accepts no data (802.1Q 8.4, Learning).
    [[nodiscard]] bool learns_alone(PortIndex port) const {
        return (learners.load(std::memory_order_relaxed) & only(port)) != 0;
    }
    [[nodiscard]] std::size_t port_count() const { return egress.size(); }
    [[nodiscard]] LaneMail& mail_of(InputIndex further_lane) {
        assert(further_lane.number >= port_count());
        return *lane_mail[further_lane.number - port_count()];
    }

    SharedBuffer pool;
    Forwarding forwarding;
    Crossbar crossbar;
    HandoffQueues handoff_queues;
    // Each element belongs to one shard; other threads read only its counters.
    std::vector<const Ingress*> ingress;         // indexed by input
    std::vector<const Egress*> egress;           // indexed by port
    std::vector<const CreditWatch*> credit;      // indexed by port
    std::vector<const PortCounters*> counters;   // indexed by input
    std::vector<ControlMail*> mail;              // indexed by port: frames from and to control
    std::vector<LaneMail*> lane_mail;            // indexed by lane: frames to the port's worker
    std::vector<Latency*> latency;               // indexed by worker
    std::vector<const CsigPorts*> csig;          // indexed by worker
    std::vector<CapturePoints*> capture_points;  // indexed by worker: control attaches captures
    std::vector<FlowSampling*> sampling;         // indexed by worker: samples for sFlow
    // Slots of the recorder and of IPFIX.
    std::array<WorkerSlot<Reel>, max_workers> reels;
    std::array<WorkerSlot<QueueSampler>, max_workers> samplers;
    std::vector<InputSet> lanes_of;  // indexed by port: the port and its further lanes
    std::atomic<uint32_t> watermark_clearings{0};  // number of clearings that control ordered
    // Control writes the next seven members.
    std::atomic<PortSet> links{0};        // ports with link
    std::atomic<PortSet> outputs{0};      // ports with link that send data
    std::atomic<PortSet> detached{0};     // ports that LACP limits to control frames
    std::atomic<PortSet> shut{0};         // ports that the loop guard limits to control frames
    std::atomic<PortSet> blocked{0};      // ports that the spanning tree limits to control frames
    std::atomic<PortSet> learners{0};     // ports of `blocked` that learn addresses
    std::atomic<uint64_t> loop_guard{0};  // source address of own loop probes; 0: none are sent
    std::atomic<PortSet> down{0};         // ports administratively down; written by port's worker
    std::atomic<PortSet> given_up{0};     // outputs that discard frames; written by port's worker
    std::atomic<PortSet> control_due{0};  // ports with frames to send; control sets, worker clears
    std::atomic<TraceBoard*> trace_board{nullptr};  // set by control when it first starts a trace
    // Not cleared when tags are no longer edited: queued frames may have an edit due.
    std::atomic<bool> edits_tags{false};
    std::array<std::atomic<CreditPeer>, max_ports> credit_peers{};  // written by control
    // Priorities that the peer of each port offers.
    std::array<std::atomic<PrioritySet>, max_ports> credit_offers{};
};

}  // namespace sluice
