// TunnelsView: the output of `sluice show tunnels` for people: the other end of each tunnel, its
// next hop, and refused frames; and of `sluice show vteps`: the VTEPs of tunnels that have several.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string tunnels_view(Sheet& sheet, const Json& result);
std::string vteps_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
