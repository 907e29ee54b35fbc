// What-if report: the predicted handling of a described frame, as JSON. Keys with the same meaning
// have the same names as in a trace; control/README.md lists them.
#pragma once

#include "control/show/snapshot.h"
#include "dataplane/trace/what_if.h"

namespace sluice::control {

Json what_if_report(const View& view, const WhatIf::Answer& answer);

}  // namespace sluice::control
