// precompiled.hpp for tests of the simulator.
#include "tests/support/precompiled.hpp"
#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/network/switch_node.h"
