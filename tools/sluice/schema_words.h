// SchemaWords: the command `schema`: prints the whole schema for editors (json_schema.h), or single
// keys and values for completion in shells.
//
// Bound: names of ports and similar values are requested from a running sluiced; if none answers,
// they are left out.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace sluice::cli {

class SchemaWords {
  public:
    explicit SchemaWords(CLI::App& app);
    SchemaWords(const SchemaWords&) = delete;
    SchemaWords& operator=(const SchemaWords&) = delete;

    [[nodiscard]] bool parsed() const { return schema_->parsed(); }
    // Returns the exit status.
    [[nodiscard]] int run() const;

  private:
    std::string socket_;
    std::string keys_;
    std::string values_;
    CLI::App* schema_;
    CLI::Option* asks_keys_;
    CLI::Option* asks_values_;
};

}  // namespace sluice::cli
