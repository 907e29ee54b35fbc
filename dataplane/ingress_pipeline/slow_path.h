// The slow path of the second walk, in this order: DCBX defence, FDB lookup or flooding, drop of
// unknown unicast, storm control, multicast groups, aggregation, MTU. Frames take the slow path at
// a port or switch that uses one of these features, or if they are too long for some output.
// trace/what_if.cc computes the same for one frame without side effects: a change to one file needs
// the same change to the other.
#pragma once

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Whether frames of any length take the slow path.
bool all_take_slow_path(const IngressContext& context);

// Sets the frame's outputs, or returns why it has none. Sets `frame.input` to the frame's port; it
// was the bridge port.
template <Fdb::Where where>
Drop take_slow_path(IngressContext& context, Frame& frame, const Forwarding::Shard::Probes& probes,
                    PortSet& outputs);

}  // namespace sluice
