// Copies: a frame that goes to several outputs, as it is flooded, sent to a group or mirrored.
#pragma once

#include "dataplane/frame.h"
#include "dataplane/ingress_pipeline/context.h"

namespace sluice {

// All of the same buffer, of which no more than one is timed: that which goes where the frame does.
// `own`: where the frame goes by itself.
template <bool traced>
void enqueue_copies(IngressContext& context, Frame frame, PortSet own, PortSet mirrored_to);

}  // namespace sluice
