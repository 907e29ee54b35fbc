// Sim: `sluice sim`: a network of switches out of a file (file.h), crossbars in cell slots
// (fabric.h), flow control in slots (link.h, grants.h), links that lose (retry.h), and what is
// published beside what is measured (suite.h). Needs no switch. Tasks of a sweep are started by it
// too (cluster/).
//
// Here are the words that they share, and which of them was asked for.
// Words that do not fit each other are a CLI::ValidationError, as are those that cannot be read.
#pragma once

#include <cstdint>
#include <string>

#include "tools/sluice/sim/cluster/cluster_flags.h"
#include "tools/sluice/sim/fabric.h"
#include "tools/sluice/sim/file.h"
#include "tools/sluice/sim/grants.h"
#include "tools/sluice/sim/link.h"
#include "tools/sluice/sim/retry.h"

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
    void add_suite(CLI::App& command);
    void add_shared(CLI::App& command);

    CLI::App* command_;
    SimFabric fabric_;
    SimFile file_;
    ClusterFlags cluster_;
    SimLink link_;
    SimGrants grants_;
    SimRetry retry_;
    CLI::Option* seed_given_ = nullptr;
    CLI::Option* html_given_ = nullptr;
    std::string suite_;
    std::string source_;
    uint64_t seed_ = 1;
    bool json_ = false;
    bool csv_ = false;
    std::string html_;
};

}  // namespace sluice::cli
