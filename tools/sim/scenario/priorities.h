// Priorities: switches that have four of them instead of the dataplane's eight, as notes on PAXI
// over an L2 switch have it (num_priorities): four VOQs for each input and output, and four bits of
// a pause frame.
//
// The upper four are those that nothing comes to: what a file does not map is mapped as
// 802.1Q-2018, table 8-5, recommends for so many, two PCPs each; what it does map, or makes
// lossless, or pauses, has to be of the lower four. The reserve of VOQs that are not there is not
// set aside.
// Done elsewhere: a switch's own checks, which know of eight: a `buffer.reserved` that eight have
// no room for is refused for four as well.
#pragma once

#include <array>

#include "dataplane/types/limits.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

inline constexpr std::array<Priority, max_priorities> pcps_to_four = {0, 0, 1, 1, 2, 2, 3, 3};
inline constexpr Priority four = 4;

// Of a network whose switches have four; faults where they would need more, the first alone.
void use_four_priorities(NetworkScenario& scenario, Fields& file);

}  // namespace sluice::sim
