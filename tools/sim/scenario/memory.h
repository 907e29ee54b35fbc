// Memory: what a run takes of the machine's, as far as it is known before anything is built.
//
// Counted is what grows with the scenario: each switch's places for frames, queues and addresses,
// counters of ports, hosts, pairs of them that talk, flows and messages of a trace. What is under
// way comes on top while it runs (Network::memory), and is nothing at the start. Both together may
// be `run.memory`: more than that at the start is a fault of the scenario, later it ends the run
// (run.h), as an allocation that fails in the middle of an event could not.
// Bound: right to some megabytes: what allocators add, and the text of the scenario, is left out.
#pragma once

#include "dataplane/types/units.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

Bytes memory_at_start(const NetworkScenario& scenario);

}  // namespace sluice::sim
