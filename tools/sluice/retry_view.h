// RetryView: the output of `sluice show retry` for people: the state of both directions of each
// port with link-level retry, resent frames, and losses.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string retry_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
