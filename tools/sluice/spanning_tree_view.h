// SpanningTreeView: the output of `sluice show spanning-tree` for people.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string spanning_tree_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
