// Scheduling: converts a port's scheduler to ETS and back. The switch's traffic classes are those
// of ETS: strict, or with a share of the bandwidth according to their weight. Here a credit-based
// class is served by strict priority, and a vendor-specific class by its share.
#pragma once

#include "control/dcbx/model.h"
#include "dataplane/types/settings.h"

namespace sluice::dcbx {

Ets ets_of(const SchedulerSettings& scheduler);
// Classes that share become DWRR, by octets; one without bandwidth is still served.
SchedulerSettings scheduler_of(const Ets& ets);

}  // namespace sluice::dcbx
