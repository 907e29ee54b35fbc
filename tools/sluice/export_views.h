// ExportViews: the output of `sluice show sflow` and `sluice show ipfix` for people: collectors,
// and the ports or queues whose data they receive.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string sflow_view(Sheet& sheet, const Json& result);
std::string ipfix_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
