// SimSuite: `sluice sim suite reference`: published figures of crossbars, switches and networks
// beside those measured here, by source, and which of them hold. tools/sim/reference is what it
// runs.
#pragma once

#include <string>

#include "tools/sluice/sim/output.h"

namespace sluice::cli {

// Of sources with `source` in their name, in any case; one that nobody has is a
// CLI::ValidationError.
void run_reference_suite(const std::string& source, Output output);

}  // namespace sluice::cli
