// SimSuite: `sluice sim --suite reference`: published figures of crossbars and queues beside those
// measured here, and which of them hold. tools/sim/reference is what it runs.
#pragma once

#include "tools/sluice/sim_output.h"

namespace sluice::cli {

void run_reference_suite(Output output);

}  // namespace sluice::cli
