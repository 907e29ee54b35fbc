// Cable: tests the cable between two ports of a running switch by sluiced's cable trial
// (control/proof/cable_trial.h): pauses and LLDP, in both directions, and the capabilities that the
// result proves.
#pragma once

#include "tools/sluice/doctor/doctor.h"

namespace sluice::cli {

// Returns the exit status: 1 if a frame did not arrive.
int try_cable(const DoctorOptions& options);

}  // namespace sluice::cli
