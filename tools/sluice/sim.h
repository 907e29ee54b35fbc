// Sim: `sluice sim`: a network of switches out of a file (sim_scenario.h); crossbars of every
// published kind simulated in cell slots, and what is published of them beside what is measured.
// Needs no switch.
//
// Its words and what it prints are here; tools/sim is what it runs.
// Words that do not fit each other are a CLI::ValidationError, as are those that cannot be read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/sim/fabric/simulation.h"
#include "tools/sluice/table.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sluice::cli {

class Sim {
  public:
    explicit Sim(CLI::App& app);
    Sim(const Sim&) = delete;
    Sim& operator=(const Sim&) = delete;

    [[nodiscard]] bool parsed() const;
    // Returns what to exit with.
    int run();

  private:
    void add_what(CLI::App& command);
    void add_numbers(CLI::App& command);
    void complete();
    [[nodiscard]] int run_file();
    void run_reference() const;
    void run_fabric() const;
    [[nodiscard]] Json inputs_of(const sim::Scenario& scenario) const;

    CLI::App* command_;
    CLI::Option* iterations_given_ = nullptr;
    CLI::Option* window_given_ = nullptr;
    CLI::Option* burst_given_ = nullptr;
    CLI::Option* warmup_given_ = nullptr;
    CLI::Option* seed_given_ = nullptr;
    CLI::Option* time_given_ = nullptr;
    std::string file_;
    int64_t time_ = 0;  // nanoseconds
    std::string fabric_;
    std::string suite_;
    std::string traffic_ = "uniform";
    std::vector<double> loads_ = {0.9};
    sim::Scenario scenario_;
    bool json_ = false;
    bool csv_ = false;
};

}  // namespace sluice::cli
