// EvpnView: what `sluice show evpn` prints for people: each network, its VTEPs and neighbours.
#pragma once

#include <string>

#include "tools/sluice/table.h"

namespace sluice::cli {

std::string evpn_view(const Json& result);

}  // namespace sluice::cli
