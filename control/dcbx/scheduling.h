// Scheduling: a port's scheduler as ETS says it, and back. The switch's traffic classes are those
// of ETS: strict, or with the share of the bandwidth that their weight is. A class served by credit
// is served by strict priority here, and what a vendor likes is taken for a share.
#pragma once

#include "control/dcbx/model.h"
#include "dataplane/types/settings.h"

namespace sluice::dcbx {

Ets ets_of(const SchedulerSettings& scheduler);
// Classes that share become DWRR, by octets; one without bandwidth is still served.
SchedulerSettings scheduler_of(const Ets& ets);

}  // namespace sluice::dcbx
