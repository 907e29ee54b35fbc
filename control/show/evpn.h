// EvpnSnapshot: what a routing daemon tells of, by network, as JSON: the noun `evpn`; and behind
// which VTEP an address is, for `fdb`. The keys are in README.md.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json evpn_snapshot(const View& view, bool all);
// Of an entry that is remote, the other end of its tunnel; else null.
Json vtep_of(const View& view, const FdbEntry& entry);

}  // namespace sluice::control
