// Scheduling: a port's scheduler as ETS says it, and back.
//
// The switch has a queue a priority and nothing between: as it tells it, each priority is a traffic
// class of its own, strict, or with the share of the bandwidth that its weight is. What a peer says
// of a class that several priorities share is divided over them evenly: the class gets what it was
// to get while all of them send, and one that does not send leaves its part to all others, not to
// those of its class alone. A class served by credit is served by strict priority here.
#pragma once

#include "control/dcbx/model.h"
#include "dataplane/settings.h"

namespace sluice::dcbx {

Ets ets_of(const SchedulerSettings& scheduler);
// Classes that share become DWRR, by octets.
SchedulerSettings scheduler_of(const Ets& ets);

}  // namespace sluice::dcbx
