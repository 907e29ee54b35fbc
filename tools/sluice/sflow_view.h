// SflowView: what `sluice show sflow` prints for people: collectors, and what is sampled of each
// port.
#pragma once

#include <string>

#include "tools/sluice/sheet.h"

namespace sluice::cli {

std::string sflow_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
