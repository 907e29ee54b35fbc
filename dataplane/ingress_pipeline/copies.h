// Copies: queues a frame for several outputs: a frame that is flooded, sent to a group or mirrored.
#pragma once

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Queues a copy for each output. `own`: the outputs that the frame is bridged to; `mirrored_to`:
// the outputs that mirror one of the `own` outputs, or the frame's port. All copies share one
// buffer, so the octets are read-only if there are several (frame.h). At most one copy is timed:
// the copy for `own`, if that is one port.
template <bool traced>
void enqueue_copies(IngressContext& context, Frame frame, PortSet own, PortSet mirrored_to);

}  // namespace sluice
