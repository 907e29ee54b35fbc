// SimGrants: `sluice sim grants slice|port`: simulates credits that egress ports grant to ingress
// slices, with a row for each ingress port.
//
// This file has its arguments and output; tools/sim/credits is the simulation. Without arguments it
// is the example of notes on flow control. Arguments that contradict each other are a
// CLI::ValidationError.
#pragma once

#include <cstdint>
#include <string>

#include "tools/sim/credits/grants.h"
#include "tools/sluice/sim/output.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sluice::cli {

class SimGrants {
  public:
    explicit SimGrants(CLI::App& command);
    SimGrants(const SimGrants&) = delete;
    SimGrants& operator=(const SimGrants&) = delete;

    void run(Output output);

  private:
    void add_ports(CLI::App& command);
    void add_credit(CLI::App& command);
    void complete();
    [[nodiscard]] Json rows_of(const sim::GrantOutcome& outcome) const;
    [[nodiscard]] Json document_of(const sim::GrantOutcome& outcome) const;
    void print_table(const sim::GrantOutcome& outcome) const;

    std::string policy_;
    CLI::Option* stop_given_ = nullptr;
    int64_t speed_ = 0;
    double speed_up_ = 0;
    int64_t cell_ = 0;
    int64_t quantum_ = 0;
    double interval_ = 0;  // nanoseconds
    int64_t rtt_ = 0;
    int64_t buffer_ = 0;
    int64_t span_ = 0;
    int64_t stop_ = 0;
    sim::GrantSettings settings_;
};

}  // namespace sluice::cli
