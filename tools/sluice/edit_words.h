// EditWords: `set`, `unset` and `save` on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/sluice/set.h"

namespace sluice::cli {

class EditWords {
  public:
    explicit EditWords(CLI::App& app);
    EditWords(const EditWords&) = delete;
    EditWords& operator=(const EditWords&) = delete;

    // What stands on the command line behind `sluice`, last first, as CLI11 takes it: a value in
    // brackets, which it would make several words of, or behind a dash, has a blank before it.
    [[nodiscard]] static std::vector<std::string> whole_values(std::vector<std::string> words);

    [[nodiscard]] bool parsed() const;
    // What to exit with.
    [[nodiscard]] int run() const;

  private:
    SetOptions options_;
    CLI::App* set_;
    CLI::App* unset_;
    CLI::App* save_;
};

}  // namespace sluice::cli
