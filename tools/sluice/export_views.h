// ExportViews: what `sluice show sflow` and `sluice show ipfix` print for people: collectors, and
// what they get of ports, or of queues.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string sflow_view(Sheet& sheet, const Json& result);
std::string ipfix_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
