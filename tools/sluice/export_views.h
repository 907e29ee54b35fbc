// ExportViews: the output of `sluice show sflow` and `sluice show ipfix` for people: collectors,
// and what they receive about ports or queues.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string sflow_view(Sheet& sheet, const Json& result);
std::string ipfix_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
