// LosslessViews: the output of `sluice show` about queues, pauses, waits and the buffer for people.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string queues_view(Sheet& sheet, const Json& result);
std::string pfc_view(Sheet& sheet, const Json& result);
std::string latency_view(Sheet& sheet, const Json& result);
std::string buffer_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
