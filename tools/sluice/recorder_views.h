// Recorder views: the nouns `bursts` and `recorder` as text.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string bursts_view(Sheet& sheet, const Json& result);
std::string recorder_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
