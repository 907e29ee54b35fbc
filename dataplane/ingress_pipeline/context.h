// IngressContext: the input of a burst, and the state that the walks of the pipeline, the slow path
// and admission use. Steps that few bursts take get parts of it as parameters, so that their
// declarations show what they access. Values that are the same for all frames of the burst and are
// used by several functions are looked up once, here. A member's initializer may use the members
// above it.
//
// Bound: exists for one burst, in its worker.
// Not here: changes to frames (pipeline.h).
#pragma once

#include <cstdint>

#include "dataplane/bypass.h"
#include "dataplane/capture/capture_points.h"
#include "dataplane/credits/credit_watch.h"
#include "dataplane/csig/csig_ports.h"
#include "dataplane/egress/aqm.h"
#include "dataplane/fabric/crossbar.h"
#include "dataplane/forward/forwarding.h"
#include "dataplane/ingress/control_receiver.h"
#include "dataplane/ingress/ingress.h"
#include "dataplane/latency/latency.h"
#include "dataplane/sflow/flow_sampling.h"
#include "dataplane/shared_state.h"
#include "dataplane/trace/tracer.h"
#include "dataplane/trim/trimmer.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/port_counters.h"
#include "dataplane/types/released.h"

namespace sluice {

// The observers of an input, if there are any.
struct Observers {
    CapturePoints* const captures;
    FlowSampling* sampling;  // null if no frame of the burst is picked

    [[nodiscard]] bool any() const { return captures != nullptr || sampling != nullptr; }
};

struct IngressContext {
    const InputIndex input;
    Ingress& ingress;
    PortCounters& counters;
    Forwarding::Shard& forwarding;
    Crossbar::Shard& crossbar;
    Aqm& aqm;
    const SharedState& shared;
    ControlReceiver control;
    const PortSet open;        // outputs that accept frames
    const PortSet discarding;  // outputs whose watchdog or WRED may drop frames
    // Outputs that may drop frames even if no VOQ of the worker holds frames for them.
    const PortSet waited_for;
    const Nanos now;
    Latency& latency;
    Released& released;
    Bypass& bypass;
    Trimmer& trimmer;
    CsigPorts& csig;
    Observers observers;
    Tracer* const tracer;      // null if no frame of the burst can be traced
    PortCredit* const credit;  // null if the port has no credit-based flow control

    const PortIndex port = ingress.port();  // port of the input, which may be a lane
    const Aggregations& aggregations = forwarding.aggregations();
    const Mirrors& mirrors = forwarding.mirrors();
    const Drop refusal = shared.refusal(port);  // `none`, or why only control frames are accepted
    // The source address of the switch's own loop probes; 0: the switch sends no probes.
    const uint64_t loop_guard = shared.loop_guard.load(std::memory_order_relaxed);
    // Whether neighbour requests are suppressed.
    const bool suppresses =
        forwarding.suppresses(port) && ingress.format().is_standard && input == InputIndex(port);
    const PortSet reachable = forwarding.reachable(port, open);  // bridge ports that may be outputs
    const PortIndex bridge_port = aggregations.bridge_port(port);
    const bool edits_tags = forwarding.edits_tags() && ingress.format().layout.ether_type;
    // Whether some group is known, or IGMP or MLD is snooped.
    const bool groups = forwarding.multicast().in_use();
    // Whether drops are reported to captures or flow samples.
    bool observed = observers.any();
};

}  // namespace sluice
