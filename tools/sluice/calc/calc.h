// Calc: `sluice calc`: calculations for planning a network, each with its formula and source. Needs
// no switch.
//
// A calculation is one function in a file of its own: it adds its arguments (words.h) to its
// command and returns the function that computes. To add one, write it, declare it below and give
// it a row in calc.cc. Arguments that contradict each other are a CLI::ValidationError.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/common/table.h"

namespace CLI {
class App;
}  // namespace CLI

namespace sluice::cli {

// An input, or a result other than the main one.
struct Figure {
    std::string_view name;  // name in the formula
    std::string shown;      // value as text
    std::string_view key;   // key in JSON, with its unit
    Json value;
};

struct Answer {
    std::string_view name;
    std::string_view formula;
    std::vector<Figure> inputs;
    Json result;
    std::string_view unit;
    std::vector<Figure> also = {};  // further results of the same inputs
    std::string_view source;
    Json page = {};  // data of plots (tools/common/report/README.md); null: none
    std::string page_file = {};
};
using Compute = std::function<Answer()>;

Compute headroom(CLI::App& command);
Compute wan_headroom(CLI::App& command);
Compute credit_quantum(CLI::App& command);
Compute retry(CLI::App& command);
Compute md1(CLI::App& command);
Compute pipelines(CLI::App& command);
Compute incast(CLI::App& command);
Compute serialisation(CLI::App& command);
Compute latency(CLI::App& command);

class Calc {
  public:
    explicit Calc(CLI::App& app);
    Calc(const Calc&) = delete;
    Calc& operator=(const Calc&) = delete;

    [[nodiscard]] bool parsed() const;
    // Runs the selected calculation; without one, prints the list of calculations.
    void run() const;

  private:
    struct Entry {
        CLI::App* command;
        Compute compute;
    };
    CLI::App* command_;
    std::vector<Entry> entries_;
    bool json_ = false;
};

}  // namespace sluice::cli
