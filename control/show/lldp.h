// LldpSnapshot: what each port says and hears by LLDP, as JSON: the noun `lldp`. The keys are in
// README.md.
//
// What neighbours say is shown as lldp/text.h shows it: printable UTF-8, the rest as \xNN. Of what
// they do not say, keys are null.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json lldp_snapshot(const View& view, bool all);

}  // namespace sluice::control
