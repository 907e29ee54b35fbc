// Priorities: switches with four priorities instead of the dataplane's eight, as in notes on PAXI
// over an L2 switch (num_priorities): four VOQs for each input and output, and four bits of a pause
// frame.
//
// The upper four are unused: unmapped PCPs are mapped as 802.1Q-2018, table 8-5, recommends for
// four classes, two PCPs each; priorities that the file maps, makes lossless or pauses have to be
// among the lower four. No buffer is reserved for the unused VOQs. Limit: the switch's own checks
// assume eight priorities, so a `buffer.reserved` that is too large for eight is refused for four
// as well.
#pragma once

#include <array>

#include "dataplane/types/limits.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

inline constexpr std::array<Priority, max_priorities> pcps_to_four = {0, 0, 1, 1, 2, 2, 3, 3};
inline constexpr Priority four = 4;

// Maps a network to switches with four priorities; reports the first place that needs more.
void use_four_priorities(NetworkScenario& scenario, Fields& file);

}  // namespace sluice::sim
