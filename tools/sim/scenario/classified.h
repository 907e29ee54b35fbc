// Classified: the priority that a port of a switch gives a frame that a host sends: the frame's own
// header, parsed by the port's format and looked up as the switch does it (dataplane/ingress).
#pragma once

#include "dataplane/types/settings.h"
#include "tools/sim/network/frame_layout.h"

namespace sluice::sim {

Priority classified(const PortSettings& port, const FrameHeader& header);

}  // namespace sluice::sim
