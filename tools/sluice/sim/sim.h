// Sim: `sluice sim`: simulates a network of switches from a file (`run`, file.h), crossbars in cell
// slots (`fabric`, fabric.h), flow control in slots (`link`, `grants`), lossy links (`retry`), and
// compares published figures with measured ones (`suite`). Needs no switch. The same program
// executes the tasks of a sweep (cluster/).
//
// This file has the arguments that several commands have, and the choice of the command. Arguments
// that contradict each other or cannot be parsed are a CLI::ValidationError.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
    // Returns the exit status.
    int run();

    // Inserts the command if the old form without commands is used: `sim FILE` becomes `sim run
    // FILE`, `sim --link credit` becomes `sim link credit`. `words`: the command line after the
    // program's name.
    [[nodiscard]] static std::vector<std::string> with_command(std::vector<std::string> words);

  private:
    // `sluice sim NAME`, and the common options that it accepts in addition to its own.
    struct Command {
        CLI::App* app;
        CLI::Option* seed = nullptr;
        CLI::Option* html = nullptr;
    };
    Command add(std::string_view name);
    void add_seed(Command& command);
    void add_html(Command& command);
    void add_suite();
    void add_examples();
    [[nodiscard]] bool asked(const Command& command) const;
    [[nodiscard]] Output output() const;
    int run_file();
    int run_fabric();

    CLI::App* command_;
    Command file_command_;
    Command fabric_command_;
    Command link_command_;
    Command grants_command_;
    Command retry_command_;
    Command suite_command_;
    SimFile file_;
    ClusterFlags cluster_;
    SimFabric fabric_;
    SimLink link_;
    SimGrants grants_;
    SimRetry retry_;
    std::string suite_ = "reference";
    std::string source_;
    uint64_t seed_ = 1;
    bool json_ = false;
    bool csv_ = false;
    std::string html_;
};

}  // namespace sluice::cli
