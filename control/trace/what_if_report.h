// What-if report: what a described frame would meet, as JSON. Its keys are those of a trace where
// they mean the same; README.md of control lists them.
#pragma once

#include "control/show/snapshot.h"
#include "dataplane/trace/what_if.h"

namespace sluice::control {

Json what_if_report(const View& view, const WhatIf::Answer& answer);

}  // namespace sluice::control
