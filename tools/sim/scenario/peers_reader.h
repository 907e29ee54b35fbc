// Peers reader: reads the behaviour of hosts (`peers`). A later entry overrides an earlier one.
#pragma once

#include <vector>

#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/host_names.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

void read_peers(Fields& file, const HostNames& names, std::vector<HostSpec>& hosts);

}  // namespace sluice::sim
