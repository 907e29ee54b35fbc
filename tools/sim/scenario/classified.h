// Classified: returns the priority that a switch's port gives a frame from a host. It
// parses the frame's header by the port's format and classifies the frame as the switch
// does (dataplane/ingress).
#pragma once

#include "dataplane/types/settings.h"
#include "tools/sim/network/frame_layout.h"

namespace sluice::sim {

Priority classified(const PortSettings& port, const FrameHeader& header);

}  // namespace sluice::sim
