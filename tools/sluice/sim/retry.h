// SimRetry: `sluice sim retry all`: simulates links with loss, under PFC, with retry, by credit
// with retry, by CBFC with and without retry, and with retry from end to end; with a row for each
// of these and each share of loss.
//
// This file has its arguments and output; tools/sim/retry is the simulation. Arguments that
// contradict each other are a CLI::ValidationError.
#pragma once

#include <string>
#include <vector>

#include "tools/sim/retry/retry_link.h"
#include "tools/sluice/sim/output.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sluice::cli {

class SimRetry {
  public:
    explicit SimRetry(CLI::App& command);
    SimRetry(const SimRetry&) = delete;
    SimRetry& operator=(const SimRetry&) = delete;

    void run(uint64_t seed, Output output);

  private:
    void add_links(CLI::App& command);
    void add_cbfc(CLI::App& command);
    void add_faults(CLI::App& command);
    void complete(uint64_t seed);
    [[nodiscard]] std::vector<sim::RetryLinkSettings> runs() const;
    [[nodiscard]] Json inputs() const;

    std::vector<std::string> recoveries_;
    std::vector<double> losses_ = {1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 1e-2};
    bool vanish_ = false;
    sim::RetryLinkSettings settings_{.links = 5};
};

}  // namespace sluice::cli
