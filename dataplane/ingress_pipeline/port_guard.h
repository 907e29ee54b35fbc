// The guard of a port: the switch's own probes that came back to it, and a port that takes nothing
// but control, as it is down, shut by the loop guard, kept by the spanning tree or no member of its
// aggregation yet. In the state Learning of the spanning tree a port learns from what it drops.
#pragma once

#include <span>

#include "dataplane/frame.h"
#include "dataplane/ingress_pipeline/context.h"

namespace sluice {

// Takes out probes that came back, and refuses the rest where the port refuses.
void guard_port(IngressContext& context, std::span<const Frame> burst, Verdicts& verdicts);

}  // namespace sluice
