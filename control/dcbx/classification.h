// Classification: converts a port's table of applications to DCBX's form and back.
//
// If the peer's table is in force and `trust` sets no other order, the priority is taken from a
// frame's tag first, then from its application, then from the DSCP: a host that learns a priority
// from the table may tag its frames or not. Entries for ports of protocols other than TCP and UDP
// are left out.
// Bound: the switch keeps `most_applications` entries, the first ones of a longer table.
#pragma once

#include "control/dcbx/fault.h"
#include "control/dcbx/model.h"
#include "dataplane/types/settings.h"

namespace sluice::dcbx {

// Returns the entries of a peer's table that the switch can use to classify; the others are counted
// as faults.
ApplicationTable classified_by(const ApplicationTable& table, FaultCounters& faults);
ApplicationTable applications_of(const ClassifySettings& classify);
void classify_by(const ApplicationTable& table, ClassifySettings& classify);

}  // namespace sluice::dcbx
