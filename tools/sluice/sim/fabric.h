// SimFabric: `sluice sim fabric ALGORITHM,...`: simulates crossbars with published algorithms in
// cell slots, with a row for each algorithm and load.
//
// This file has its arguments and output; tools/sim/fabric is the simulation. Rows are computed in
// parallel. A report also has output queueing, whose delay is the least possible.
// Arguments that contradict each other are a CLI::ValidationError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/common/report/report.h"
#include "tools/sim/fabric/simulation.h"
#include "tools/sluice/sim/output.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sluice::cli {

class SimFabric {
  public:
    explicit SimFabric(CLI::App& command);
    SimFabric(const SimFabric&) = delete;
    SimFabric& operator=(const SimFabric&) = delete;

    // Returns the exit status.
    int run(uint64_t seed, Output output, ReportFile* report);

    // Returns the names that can be requested.
    [[nodiscard]] static std::string names();
    [[nodiscard]] static std::string help();

  private:
    void add_what(CLI::App& command);
    void add_numbers(CLI::App& command);
    void complete();
    [[nodiscard]] Json rows_of(const std::vector<std::string>& algorithms) const;
    [[nodiscard]] Json inputs_of(const sim::Scenario& scenario) const;
    void print_table(Json rows) const;

    CLI::Option* iterations_given_ = nullptr;
    CLI::Option* window_given_ = nullptr;
    CLI::Option* burst_given_ = nullptr;
    CLI::Option* warmup_given_ = nullptr;
    std::vector<std::string> algorithms_;
    std::string traffic_ = "uniform";
    std::vector<double> loads_ = {0.9};
    sim::Scenario scenario_;
};

}  // namespace sluice::cli
