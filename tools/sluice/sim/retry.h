// SimRetry: `sluice sim retry all`: links that lose, under PFC, with retry, by credit with retry,
// by CBFC with and without retry, and with retry from end to end; a row for each of these and each
// share of loss.
//
// Its words and what it prints are here; tools/sim/retry is what it runs. Words that do not fit are
// a CLI::ValidationError.
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
