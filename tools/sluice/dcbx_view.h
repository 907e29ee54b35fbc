// DcbxView: what `sluice show dcbx` prints for people: what each port and its peer agree on, and
// what peers can do and recommend.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string dcbx_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
