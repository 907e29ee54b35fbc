// EvpnSnapshot: what a routing daemon provides for each EVPN network, as JSON: the noun `evpn`
// (control/nouns.md lists its keys); and the VTEP of an address, for the noun `fdb`.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json evpn_snapshot(const View& view, bool all);
// Returns the remote VTEP of an FDB entry learned by EVPN; null for any other entry.
Json vtep_of(const View& view, const FdbEntry& entry);

}  // namespace sluice::control
