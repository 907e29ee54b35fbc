// Copies: a frame that goes to several outputs, as it is flooded, sent to a group or mirrored.
#pragma once

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/types/frame.h"

namespace sluice {

// `own`: the outputs that the frame is bridged to; `mirrored_to`: the outputs that mirror one of
// them, or the frame's port. All copies share one buffer, so if there are several none may write to
// its octets (frame.h). At most one copy is timed: the copy for `own`, if that is one port.
template <bool traced>
void enqueue_copies(IngressContext& context, Frame frame, PortSet own, PortSet mirrored_to);

}  // namespace sluice
