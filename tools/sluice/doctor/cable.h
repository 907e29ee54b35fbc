// Cable: what passes between two ports of a running switch that are cabled to each other, as
// sluiced tries it (control/proof/cable_trial.h): pauses and LLDP, either way, and what the ports
// are known to do by that.
#pragma once

#include "tools/sluice/doctor/doctor.h"

namespace sluice::cli {

// What to exit with: 1 if something did not arrive.
int try_cable(const DoctorOptions& options);

}  // namespace sluice::cli
