// `sluice trace`: shows the path of the next matching frames through a running switch, or, with
// `--what-if`, the predicted path of a described frame.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace sluice::cli {

class Trace {
  public:
    explicit Trace(CLI::App& app);
    [[nodiscard]] bool parsed() const { return command_->parsed(); }
    // Returns the exit status.
    [[nodiscard]] int run() const;

  private:
    [[nodiscard]] int trace() const;
    [[nodiscard]] int what_if() const;

    CLI::App* command_;
    std::string socket_;
    std::string port_;
    std::string destination_;
    std::string source_;
    std::optional<unsigned> vlan_;
    std::optional<unsigned> priority_;
    unsigned frames_ = 1;
    unsigned seconds_ = 10;
    std::string frame_;  // frame for --what-if
    bool json_ = false;
};

}  // namespace sluice::cli
