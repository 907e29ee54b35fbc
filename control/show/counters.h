// The noun `counters`: one row a port, with the names of SONiC's `show interfaces counters`,
// computed from the nouns `ports` and `drops`, so clearing those clears it.
//
// Every received frame is in one of rx_ok, rx_err and rx_ovr. rx_drp counts the frames of rx_ok
// that were dropped, and frames that the device missed; frames for the switch itself are not drops.
#pragma once

#include "control/show/json.h"

namespace sluice::control {

Json counters_of(const Json& ports, const Json& drops);

}  // namespace sluice::control
