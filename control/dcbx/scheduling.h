// Scheduling: converts a port's scheduler to ETS and back. The switch's traffic classes are those
// of ETS: strict, or with a share of the bandwidth according to their weight. The switch serves a
// credit-based class by strict priority, and a vendor-specific class by its share.
#pragma once

#include "control/dcbx/model.h"
#include "dataplane/types/settings.h"

namespace sluice::dcbx {

Ets ets_of(const SchedulerSettings& scheduler);
// Returns a scheduler in which classes with a share use DWRR, by octets. A class without bandwidth
// is still served.
SchedulerSettings scheduler_of(const Ets& ets);

}  // namespace sluice::dcbx
