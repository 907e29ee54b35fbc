// DcbxText: what DCBX agrees on, in words for people: `3, 4`; `0, 1: 40 %; 7: strict`;
// `ether_type 0x8906: 3`.
#pragma once

#include <string>

#include "control/dcbx/protocol.h"

namespace sluice::control {

std::string text_of(const dcbx::FeatureValue& value);

}  // namespace sluice::control
