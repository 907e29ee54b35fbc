// RetryView: what `sluice show retry` prints for people: the state of both directions of each port
// with link-level retry, what was sent again, and what was lost.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string retry_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
