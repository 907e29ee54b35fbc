// EvpnView: the output of `sluice show evpn` for people: each network, its VTEPs and neighbours.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string evpn_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
