// `sluice record`: controls the recorder of a running switch, and prints recordings.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace sluice::cli {

class Record {
  public:
    explicit Record(CLI::App& app);
    [[nodiscard]] bool parsed() const { return command_->parsed(); }
    // Returns the exit status.
    [[nodiscard]] int run() const;

  private:
    [[nodiscard]] int order() const;
    [[nodiscard]] int dump() const;

    CLI::App* command_;
    std::string socket_;
    std::string order_;
    uint64_t number_ = 0;  // number of a recording; 0: the last
    bool csv_ = false;
    bool json_ = false;
};

}  // namespace sluice::cli
