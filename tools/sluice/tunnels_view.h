// TunnelsView: what `sluice show tunnels` prints for people: where each leads, who is its next hop,
// and what was refused; and `sluice show vteps`: the other ends of those to many.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string tunnels_view(Sheet& sheet, const Json& result);
std::string vteps_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
