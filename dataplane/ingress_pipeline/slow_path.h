// The slow path of the second walk, in this order: DCBX's defence, lookup in the FDB or flood,
// refusal of unknown unicast, storm control, groups, aggregation, MTU. It is taken by all frames of
// a port or switch that uses one of these features, and by frames that are too long for some
// output. trace/what_if.cc computes the same for one frame without side effects: a change to one
// needs the same change to the other.
#pragma once

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Whether frames of any length take the slow path.
bool all_take_slow_path(const IngressContext& context);

// The frame's outputs, or why it has none. From here on `frame.input` is the frame's port, no
// longer the bridge port.
template <Fdb::Where where>
Drop take_slow_path(IngressContext& context, Frame& frame, const Forwarding::Shard::Probes& probes,
                    PortSet& outputs);

}  // namespace sluice
