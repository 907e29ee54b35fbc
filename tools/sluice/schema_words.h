// SchemaWords: `schema` on the command line: the whole of it for editors (json_schema.h), and keys
// and values one by one for shells, which complete by them.
//
// Bound: of a running sluiced it takes names of ports and the like, where one answers; else what
// has no names.
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
    // What to exit with.
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
