// Learned addresses between a switch and its saved state: what is written down, and what of it
// still holds in another one.
//
// An address is of a port (by name and device) or of an aggregation (by name): where there is none
// such any more it is left out. So is one of another family than the port's frames, or at a port
// whose format does not learn. Its age grows by the time that has passed.
// Bound: `most_addresses`; further ones are not saved.
// Not done here: what the FDB has to say: VLANs, ageing, static entries, room (forwarding.h).
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "config/configuration.h"
#include "control/state/saved_state.h"
#include "dataplane/forward/fdb.h"
#include "dataplane/units.h"

namespace sluice::control {

void save_addresses(SavedState& state, const Fdb& fdb, const config::Configuration& configuration,
                    Nanos now);

std::vector<RememberedAddress> addresses_that_hold(const SavedState& state,
                                                   const config::Configuration& configuration,
                                                   std::chrono::seconds passed);

// The place of the configuration that a port is at now.
std::optional<PortIndex> port_at(const SavedPlace& place,
                                 const config::Configuration& configuration);

}  // namespace sluice::control
