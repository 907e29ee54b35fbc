// SimOutcome: the outcome of one run of a sweep: one row for each flow, or one row with the reason
// why the run failed.
//
// A run may fail on every machine, for example because it needs more than `run.memory`. Or it may
// fail because one machine had no memory or could not read files; then it may succeed on another
// machine.
#pragma once

#include <cstdint>
#include <string>

#include "tools/sim/scenario/run.h"
#include "tools/sluice/sim/sweep.h"

namespace sluice::cli {

struct Outcome {
    enum class State : uint8_t { not_run, complete, failed, failed_by_machine };

    State state = State::not_run;
    Json rows = Json::array();

    [[nodiscard]] bool failed() const { return state >= State::failed; }
};

// Returns the outcome of a failed run. Its row begins with the values of the run, as others do.
Outcome failed_outcome(const Changes& combination, const std::string& why,
                       Outcome::State state = Outcome::State::failed);

// Executes a run. The outcome of an interrupted one (interrupt.h) is `not_run`.
Outcome run_one(const Sweep& sweep, const Changes& combination,
                const sim::OnProgress& on_progress = {});

}  // namespace sluice::cli
