// DcbxText: the value of a DCBX feature as text for people: `3, 4` for PFC; `0, 1: 40 %; 7:
// strict` for ETS; `ether_type 0x8906: 3` for an application priority.
#pragma once

#include <string>

#include "control/dcbx/protocol.h"

namespace sluice::control {

std::string text_of(const dcbx::FeatureValue& value);

}  // namespace sluice::control
