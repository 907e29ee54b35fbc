// SimSuite: `sluice sim suite reference`: compares published figures of crossbars, switches and
// networks with measured ones, by source, and reports which are confirmed. tools/sim/reference has
// the figures.
#pragma once

#include <string>

#include "tools/sluice/sim/output.h"

namespace sluice::cli {

// Runs the suite for sources whose name contains `source`, ignoring case; an unknown source is a
// CLI::ValidationError.
void run_reference_suite(const std::string& source, Output output);

}  // namespace sluice::cli
