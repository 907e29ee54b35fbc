// FlowControl: sets up the flow control of the ports at a cable's ends, and the credit terms of
// ports with credit.
//
// A port whose cable has no flow control is lossy. A port with credit keeps its lossless
// priorities, but their buffers are reserves instead of XOFF and headroom, so that frames on credit
// have room.
#pragma once

#include "tools/sim/network/credit_line.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// Return the credit terms of the frames that the switch's port receives, and of those that the host
// receives. A host's buffer has no cells.
CreditTerms terms_into_port(const SwitchSpec& node, PortIndex port, const Cable& cable);
CreditTerms terms_into_host(const SwitchSpec& node, const HostSpec& host);

// Sets the flow control of the whole scenario. Faults are reported at the cable, the hosts or the
// links of `file`.
void use_flow_control(NetworkScenario& scenario, Fields& file);

}  // namespace sluice::sim
