// Paxi: constants that the paxi_*.cc files share; these compare a study of PAXI frames with the
// simulation. Lengths include the FCS.
#pragma once

#include "dataplane/types/units.h"

namespace sluice::sim::paxi {

inline constexpr Bytes payload{1344};
inline constexpr Bytes standard_frame{1406};  // with a VLAN tag
inline constexpr Bytes lite_frame{1360};
inline constexpr BitsPerSecond speed{200'000'000'000};

}  // namespace sluice::sim::paxi
