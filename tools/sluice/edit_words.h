// EditWords: `set`, `unset` and `save` on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/sluice/set.h"

namespace sluice::cli {

class EditWords {
  public:
    explicit EditWords(CLI::App& app);
    EditWords(const EditWords&) = delete;
    EditWords& operator=(const EditWords&) = delete;

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
