// SimLink: `sluice sim link credit|xon_xoff`: simulates one link in slots of a cell, with a row for
// each slot, as in the time sequence diagrams of text books.
//
// This file has its arguments and output; tools/sim/credits is the simulation. Without arguments it
// is the toy example of notes on flow control. Arguments that contradict each other are a
// CLI::ValidationError.
#pragma once

#include <string>
#include <vector>

#include "tools/sim/credits/link.h"
#include "tools/sluice/sim/output.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sluice::cli {

class SimLink {
  public:
    explicit SimLink(CLI::App& command);
    SimLink(const SimLink&) = delete;
    SimLink& operator=(const SimLink&) = delete;

    void run(Output output);

  private:
    void add_credit(CLI::App& command);
    void add_levels(CLI::App& command);
    void add_schedules(CLI::App& command);
    void complete();
    [[nodiscard]] Json row_of(const sim::LinkSlot& slot, const sim::Link& link) const;
    [[nodiscard]] std::string title() const;
    [[nodiscard]] Json inputs() const;

    std::string control_;
    CLI::Option* credits_given_ = nullptr;
    CLI::Option* returning_given_ = nullptr;
    CLI::Option* xoff_given_ = nullptr;
    CLI::Option* xon_given_ = nullptr;
    CLI::Option* reaction_given_ = nullptr;
    std::vector<std::string> stalls_ = {"0-12"};
    std::vector<std::string> sending_;
    uint64_t slots_ = 24;
    sim::LinkSettings settings_;
};

}  // namespace sluice::cli
