// SimScenario: `sluice sim FILE`: a network of switches in virtual time, as a table, JSON or CSV.
//
// tools/sim/scenario reads and runs it; what is printed is here. The same file and seed print the
// same octets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dataplane/units.h"
#include "tools/sluice/sim_output.h"

namespace sluice::cli {

struct ScenarioRun {
    std::string file;
    std::optional<Nanos> time{};  // instead of its own
    std::optional<uint64_t> seed{};
    Output output = Output::table;
};

// Returns what to exit with: 2 when the file is wrong, 1 when a ledger does not balance.
int run_scenario(const ScenarioRun& asked);

}  // namespace sluice::cli
