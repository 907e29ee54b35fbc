#include "tools/sluice/sim/outcome.h"

#include <new>

#include "tools/sluice/interrupt.h"
#include "tools/sluice/sim/file.h"
#include "tools/sluice/sim/scenario.h"

namespace sluice::cli {

namespace {

Json values_of(const Changes& combination) {
    Json row = Json::object();
    for (const sim::Override& change : combination) row[change.path] = change.value;
    return row;
}

Json rows_of(const Changes& combination, const sim::NetworkResult& result) {
    uint64_t pausing = 0;
    for (const sim::PortResult& port : result.ports) pausing += port.pausing_ns;
    Json rows = Json::array();
    for (const sim::FlowResult& flow : result.flows) {
        Json row = values_of(combination);
        row.update(row_of_flow(flow));
        row["pausing_ns"] = pausing;
        row["stands_still"] = result.stands_still;
        row["ledger_balanced"] = result.balanced();
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

Outcome failed_outcome(const Changes& combination, const std::string& why, Outcome::State state) {
    Json row = values_of(combination);
    row["failed"] = why;
    Outcome outcome{.state = state};
    outcome.rows.push_back(std::move(row));
    return outcome;
}

Outcome run_one(const Sweep& sweep, const Changes& combination,
                const sim::OnProgress& on_progress) {
    try {
        const auto scenario =
            sim::read_scenario(sweep.text, sweep.file, sweep.changes_in(combination));
        if (!scenario) {
            return failed_outcome(combination, "its files can no longer be read",
                                  Outcome::State::failed_by_machine);
        }
        const sim::NetworkResult result =
            sim::simulate(*scenario, on_progress, sim::Recording::off, Interrupt::came);
        if (!result.stopped) {
            return {.state = Outcome::State::complete, .rows = rows_of(combination, result)};
        }
        if (result.stopped->why == sim::Stopped::Why::interrupted) return {};
        return failed_outcome(combination, text_of(*result.stopped));
    } catch (const std::bad_alloc&) {
        return failed_outcome(combination, std::string(no_memory),
                              Outcome::State::failed_by_machine);
    }
}

}  // namespace sluice::cli
