// Learned addresses in the saved state: which FDB entries are saved, and which saved ones may be
// restored into the FDB of another run.
//
// An address belongs to a port (by name and device) or to an aggregation (by name). An address is
// not restored if its port or aggregation no longer exists, if the port's frames are of another
// family, or if the port's format has no learning. The age of a restored address includes the time
// since the state was saved.
// Bound: `most_addresses`; further ones are not saved.
// Not done here: checks that the FDB itself makes: VLANs, ageing, static entries, capacity
// (dataplane/forward/forwarding.h).
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "config/configuration.h"
#include "control/state/saved_state.h"
#include "dataplane/forward/fdb.h"
#include "dataplane/types/units.h"

namespace sluice::control {

void save_addresses(SavedState& state, const Fdb& fdb, const config::Configuration& configuration,
                    Nanos now);

// Returns the saved addresses that may be restored. `passed`: the time since the state was saved.
std::vector<RememberedAddress> addresses_to_restore(const SavedState& state,
                                                    const config::Configuration& configuration,
                                                    std::chrono::seconds passed);

// Returns the index of a saved port in the configuration; empty: the configuration has no such
// port.
std::optional<PortIndex> port_at(const SavedPlace& place,
                                 const config::Configuration& configuration);

}  // namespace sluice::control
