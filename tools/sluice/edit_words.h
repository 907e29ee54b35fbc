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

    // Returns the command line after `sluice`, in reverse order, as CLI11 expects it. A value in
    // brackets, which CLI11 would split, or with a leading dash, gets a leading blank.
    [[nodiscard]] static std::vector<std::string> whole_values(std::vector<std::string> words);

    [[nodiscard]] bool parsed() const;
    // Returns the exit status.
    [[nodiscard]] int run() const;

  private:
    SetOptions options_;
    CLI::App* set_;
    CLI::App* unset_;
    CLI::App* save_;
};

}  // namespace sluice::cli
