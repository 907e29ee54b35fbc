// The slow path of the second walk, in its order: DCBX's defence, policing, groups, aggregation,
// MTU. Taken by all frames of a switch that has set one of these, and by those that are too long
// for some output.
#pragma once

#include "dataplane/frame.h"
#include "dataplane/ingress_pipeline/context.h"

namespace sluice {

// Whether frames of any length take it.
bool all_take_slow_path(const IngressContext& context);

// The frame's outputs, or why it has none. From here on it is its port's own, no longer the bridge
// port's.
template <Fdb::Where where>
Drop take_slow_path(IngressContext& context, Frame& frame, const Forwarding::Shard::Probes& probes,
                    PortSet& outputs);

}  // namespace sluice
