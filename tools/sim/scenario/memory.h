// Memory: the memory of a run that can be computed before it is built.
//
// It counts data that grows with the scenario: each switch's places for frames, queues and
// addresses, counters of ports, hosts, communicating pairs, flows and messages of a trace. Frames
// in flight are added during the run (Network::memory). Both together are limited by `run.memory`:
// exceeding it at the start is a fault of the scenario; later it ends the run in an orderly way
// (run.h), unlike a failed allocation in the middle of an event.
// Bound: exact to some megabytes: the overhead of allocators and the text of the scenario are not
// counted.
#pragma once

#include "dataplane/types/units.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

Bytes memory_at_start(const NetworkScenario& scenario);

}  // namespace sluice::sim
