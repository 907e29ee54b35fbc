// SimFile: `sluice sim run FILE`: simulates the network of a file, unchanged or with some values
// set, once or for every combination of values (sweep.h, sweep_run.h).
//
// tools/sim/scenario reads and runs the file; scenario.h prints the result. SIGINT and SIGTERM end
// a run with its present results (interrupt.h); a run also ends before it exceeds `run.memory`.
// Arguments that contradict each other are a CLI::ValidationError.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/common/report/report.h"
#include "tools/sim/scenario/override.h"
#include "tools/sluice/sim/cluster/cluster_options.h"
#include "tools/sluice/sim/output.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sluice::cli {

class SimFile {
  public:
    explicit SimFile(CLI::App& command);
    SimFile(const SimFile&) = delete;
    SimFile& operator=(const SimFile&) = delete;

    [[nodiscard]] bool asked() const { return !file_.empty(); }
    // Returns the name of the scenario; empty if none was requested.
    [[nodiscard]] const std::string& name() const { return file_; }
    // Returns the exit status: 2 if the file is wrong, 1 if a ledger does not balance or a run
    // ended before its time.
    int run(std::optional<uint64_t> seed, Output output, ReportFile* report,
            const ClusterOptions& options) const;

  private:
    [[nodiscard]] std::vector<sim::Override> changes(std::optional<uint64_t> seed) const;
    int run_once(const std::string& text, const std::vector<sim::Override>& changes, Output output,
                 ReportFile* report) const;

    CLI::Option* time_given_ = nullptr;
    std::string file_;
    int64_t time_ = 0;  // nanoseconds
    std::vector<std::string> set_;
    std::vector<std::string> sweeps_;
    bool series_ = false;
};

// The text for a run that ran out of memory before `run.memory` was reached.
inline constexpr std::string_view no_memory =
    "the machine is out of memory, and the results of the run are lost; set run.memory below the "
    "memory of the machine, so that the run ends early and reports its results";

// Prints each fault on a line of standard error; a fault in a change is printed with the change.
void print_faults(const std::vector<config::Fault>& faults,
                  const std::vector<sim::Override>& changes);

}  // namespace sluice::cli
