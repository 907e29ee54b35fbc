// Classification: a port's table of applications as DCBX says it, and back.
//
// A frame's tag decides before its application does, and that before its DSCP, where the peer's
// table holds and `trust` does not say otherwise: a host that learns a priority from the table may
// tag its frames with it or not. Bound: the switch keeps `most_applications` entries, of a longer
// table the first ones. Entries for ports of other protocols than TCP and UDP are left out.
#pragma once

#include "control/dcbx/fault.h"
#include "control/dcbx/model.h"
#include "dataplane/types/settings.h"

namespace sluice::dcbx {

// What of a peer's table the switch classifies by; the rest is counted.
ApplicationTable classified_by(const ApplicationTable& table, FaultCounters& faults);
ApplicationTable applications_of(const ClassifySettings& classify);
void classify_by(const ApplicationTable& table, ClassifySettings& classify);

}  // namespace sluice::dcbx
