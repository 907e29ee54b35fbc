// FlowControl of cables: sets up the ports at their ends, and the credit terms of ports with
// credit.
//
// A port whose cable has no flow control is lossy. A port with credit keeps its lossless
// priorities, but their buffers are reserves instead of XOFF and headroom, so that frames on credit
// have room.
#pragma once

#include "tools/sim/network/credit_line.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// Credit for frames to the port of the switch, or to the host there: a host's buffer has no cells.
CreditTerms terms_into_port(const SwitchSpec& node, PortIndex port, const Cable& cable);
CreditTerms terms_into_host(const SwitchSpec& node, const HostSpec& host);

// Sets the flow control of the whole scenario. Faults are reported at cable, hosts or links of
// `file`.
void use_flow_control(NetworkScenario& scenario, Fields& file);

}  // namespace sluice::sim
