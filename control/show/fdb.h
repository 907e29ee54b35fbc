// The noun `fdb`: addresses, by family, VLAN and address.
//
// Bound: looks at every slot; what a filter does not want is left out before it becomes JSON, so
// that a question about one port costs little where there are a million addresses.
#pragma once

#include "control/show/filter.h"
#include "control/show/snapshot.h"

namespace sluice::control {

Json fdb_snapshot(const View& view, const ShowFilter& filter = {});

}  // namespace sluice::control
