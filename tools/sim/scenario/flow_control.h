// FlowControl of cables: what it makes of the ports at their ends, and the terms of those that have
// credit.
//
// A port whose cable has none is lossy. A port by credit keeps its lossless priorities, but has
// their buffers as reserves instead of XOFF and headroom, so that what comes on credit has a place.
#pragma once

#include "tools/sim/network/credit_line.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// To the port of the switch, or to the host there: a host's buffer has no cells.
CreditTerms terms_into_port(const SwitchSpec& node, PortIndex port, const Cable& cable);
CreditTerms terms_into_host(const SwitchSpec& node, const HostSpec& host);

// Of the whole scenario. Faults stand where `file` has cable, hosts or links.
void use_flow_control(NetworkScenario& scenario, Fields& file);

}  // namespace sluice::sim
