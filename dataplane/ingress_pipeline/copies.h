// Copies: a frame that goes to several outputs, as it is flooded, sent to a group or mirrored.
#pragma once

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/types/frame.h"

namespace sluice {

// `own`: outputs that it is bridged to; `mirrored_to`: those that mirror one of them, or its port.
// All copies are of the same buffer, so of several nobody may write to its octets (frame.h), and no
// more than one is timed: that for `own`, where that is one port.
template <bool traced>
void enqueue_copies(IngressContext& context, Frame frame, PortSet own, PortSet mirrored_to);

}  // namespace sluice
