// SpanningTreeSnapshot: the spanning tree as this switch sees it, and its ports, as JSON: the noun
// `spanning-tree` (control/nouns.md lists its keys).
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json spanning_tree_snapshot(const View& view, bool all);

}  // namespace sluice::control
