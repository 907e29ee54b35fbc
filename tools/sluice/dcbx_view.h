// DcbxView: the output of `sluice show dcbx` for people: the agreements of each port and its peer,
// and the peers' capabilities and recommendations.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string dcbx_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
