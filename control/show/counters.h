// The noun `counters`: a row a port, by the names of SONiC's `show interfaces counters`, made of
// the nouns `ports` and `drops`, and so from where these count.
//
// Every frame that was received is in one of rx_ok, rx_err and rx_ovr. rx_drp are those of rx_ok
// that went nowhere, and what the device missed; what the switch took for itself is no drop.
#pragma once

#include "control/show/json.h"

namespace sluice::control {

Json counters_of(const Json& ports, const Json& drops);

}  // namespace sluice::control
