// LacpSnapshot: the LACP state of members of aggregations and of their partners, as JSON: the noun
// `lacp` (control/nouns.md lists its keys; their names are those of IEEE 802.1AX).
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json lacp_snapshot(const View& view, bool all);

}  // namespace sluice::control
