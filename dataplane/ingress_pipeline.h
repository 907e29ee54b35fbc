// IngressPipeline: one burst on its way in, in three walks over it:
//   examine   parse, what ends at the port, tags, priority
//   forward   may it enter, is its source learned, which outputs
//   queue     admit it to its VOQ, or past it to an egress queue, one copy an output
// Where frames of the burst are traced, the last two run as instances of their own, which report to
// the tracer as well (trace/tracer.h).
// ingress_pipeline.cc reads in that order. A frame that asks for more than most switches have set,
// or that is too long for some output, takes the slow path in the second walk: policing, groups,
// aggregation, MTU. Each walk is a function of its own: the processor's registers are just enough
// for one, and what a walk asks of memory is there when the next one needs it.
// Bound: O(1) a frame, O(outputs) a frame that goes to several. What is the same for all frames of
// the burst is looked up once, by the constructor.
// Not done here: what a burst means for its worker (shard.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dataplane/bypass.h"
#include "dataplane/capture/capture_points.h"
#include "dataplane/credits/credit_watch.h"
#include "dataplane/drops.h"
#include "dataplane/egress/aqm.h"
#include "dataplane/fabric/crossbar.h"
#include "dataplane/forward/forwarding.h"
#include "dataplane/frame.h"
#include "dataplane/ingress/control_receiver.h"
#include "dataplane/ingress/ingress.h"
#include "dataplane/latency/latency.h"
#include "dataplane/limits.h"
#include "dataplane/port_counters.h"
#include "dataplane/released.h"
#include "dataplane/sflow/flow_sampling.h"
#include "dataplane/shared_state.h"
#include "dataplane/trace/tracer.h"

namespace sluice {

struct NeighbourPacket;

class IngressPipeline {
  public:
    // Where the burst came in, and what it meets.
    struct Context {
        InputIndex input;
        Ingress& ingress;
        PortCounters& counters;
        Forwarding::Shard& forwarding;
        Crossbar::Shard& crossbar;
        Aqm& aqm;
        const SharedState& shared;
        ControlReceiver control;
        PortSet outputs;     // that are open
        PortSet discarding;  // outputs that may drop, for a PFC storm or by WRED
        Nanos now;
        Latency& latency;
        Released& released;
        CapturePoints* capture_points = nullptr;  // if any
        FlowSampling* sampling = nullptr;         // where frames of the input are sampled
        Tracer* tracer = nullptr;                 // where frames of the burst may be traced
        PortCredit* credit = nullptr;             // of a port that goes by it
    };

    IngressPipeline(const Context& context, Bypass& bypass);

    // At most max_burst frames. `arrivals`: also reports to the crossbar the last VOQ that got one.
    void run(std::span<Frame> burst, bool arrivals);

  private:
    // Standard Ethernet, or a format that is described, with addresses of 48 bits or ids of 16.
    enum class Layout : uint8_t { standard, addresses, ids };
    using Probes = Forwarding::Shard::Probes;
    // What is known of each frame of a burst.
    struct Verdicts {
        std::array<Drop, max_burst> drop;
        std::array<Probes, max_burst> probes;    // of those that may go on
        std::array<PortSet, max_burst> outputs;  // empty of those that may not
    };

    template <Layout layout>
    void walk(std::span<Frame> burst, bool arrivals);
    // What was examined.
    template <Layout layout, bool traced>
    void process(std::span<Frame> burst, Verdicts& verdicts, bool arrivals);

    template <Layout layout>
    void examine(std::span<Frame> burst, Verdicts& verdicts);
    void note_headers(Frame& frame, const Headers& headers);
    void guard(std::span<const Frame> burst, Verdicts& verdicts);
    void count_credit(std::span<const Frame> burst, Verdicts& verdicts);
    void suppress(std::span<const Frame> burst, Verdicts& verdicts);
    [[nodiscard]] bool is_known(const NeighbourPacket& packet, VlanId vlan) const;
    template <Layout layout>
    [[nodiscard]] Probes prepare(const Frame& frame, const Headers& headers,
                                 const Probes& before) const;

    bool choose_traced(std::span<Frame> burst, const Verdicts& verdicts);

    template <Layout layout, bool traced>
    void forward(std::span<Frame> burst, Verdicts& verdicts);
    template <Layout layout>
    Drop accept(const Frame& frame, const Fdb::Probe& source, uint32_t epoch);
    template <Layout layout>
    Drop route(const Frame& frame, const Fdb::Probe& destination, PortSet& outputs) const;
    [[nodiscard]] bool all_take_the_slow_path() const;
    template <Layout layout>
    Drop take_the_slow_path(Frame& frame, const Probes& probes, PortSet& outputs);
    Drop forward_to_group(const Frame& frame, const Fdb::Probe& destination, Drop why,
                          PortSet& outputs);
    Drop leave_out_outputs_by_mtu(const Frame& frame, PortSet& outputs);

    template <bool traced>
    void queue(std::span<Frame> burst, const Verdicts& verdicts, bool arrivals);
    template <bool traced>
    void enqueue(Frame& frame, PortSet outputs);
    template <bool traced>
    void enqueue_copies(Frame frame, PortSet own, PortSet mirrored_to);
    // Queues it, or counts why not.
    template <bool traced>
    bool queue_or_drop(const Frame& frame, PortIndex output);
    template <bool traced>
    Drop admit(const Frame& frame, PortIndex output);
    Drop admit_traced(const Frame& frame, PortIndex output);
    // Why the watchdog or WRED drops it: pfc_storm or wred; none: neither does.
    Drop discard(const Frame& frame, PortIndex output);
    void plan_tag(Frame& frame, PortIndex output) const;
    // Counts a copy for `output` as dropped.
    void drop(const Frame& frame, PortIndex output, Drop why);
    // Copies for captures and flow samples (ingress_pipeline_capture.cc).
    void capture(std::span<const Frame> burst, const Verdicts& verdicts);
    void capture_drop(const Frame& frame, Drop of_headers, Drop why);
    void capture_drop(const Frame& frame, PortIndex output, Drop why);

    const InputIndex input_;
    Ingress& ingress_;
    const PortIndex port_;  // of which the input is a lane
    PortCounters& counters_;
    Forwarding::Shard& forwarding_;
    const Aggregations& aggregations_;
    const Mirrors& mirrors_;
    Crossbar::Shard& crossbar_;
    Bypass& bypass_;
    Aqm& aqm_;
    const SharedState& shared_;
    const Drop refusal_;         // none, or why only control is taken
    const uint64_t loop_guard_;  // the address in the switch's own probes; 0: it sends none
    const bool suppresses_;      // questions for neighbours
    const PortSet open_;         // outputs
    const PortSet reachable_;    // bridge ports
    const PortSet discarding_;
    const Nanos now_;
    Latency& latency_;
    const PortIndex bridge_port_;
    const bool edits_tags_;
    const bool groups_;  // some group is known, or IGMP or MLD is snooped
    const Bytes longest_on_fast_path_;
    ControlReceiver control_;
    Released& released_;
    CapturePoints* const capture_points_;
    FlowSampling* sampling_;  // none: no frame of the burst was picked
    bool observed_;           // by either
    Tracer* const tracer_;
    PortCredit* const credit_;
};

}  // namespace sluice
