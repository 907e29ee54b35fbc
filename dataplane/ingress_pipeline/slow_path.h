// The slow path of the second walk, in its order: DCBX's defence, the way by FDB or flood, unknown
// unicast that is refused, storm control, groups, aggregation, MTU. Taken by all frames that come
// by a port, or to a switch, that has set one of these, and by those that are too long for some
// output. trace/what_if.cc says the same of one frame without doing it: who changes one changes
// both.
#pragma once

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Whether frames of any length take it.
bool all_take_slow_path(const IngressContext& context);

// The frame's outputs, or why it has none. From here on it is its port's own, no longer the bridge
// port's.
template <Fdb::Where where>
Drop take_slow_path(IngressContext& context, Frame& frame, const Forwarding::Shard::Probes& probes,
                    PortSet& outputs);

}  // namespace sluice
