// Help: common parts of the commands of `sluice`: examples in the help, --socket before or after
// the command, --confirm, and suggestions for misspelled words.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>

namespace sluice::cli {

// Returns ` did you mean show?` for a misspelled argument, or an empty text.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

// Makes `--help` of each command end with only those lines of `examples` that begin with
// the command.
void give_own_examples(CLI::App& app, std::string_view examples);

// Adds --socket PATH, whose default is SLUICE_SOCKET.
void add_socket(CLI::App& command, std::string& socket);
// Adds --confirm TIME, in seconds.
void add_confirm(CLI::App& command, unsigned& within);

// Accepts --socket before the command, for any command: sets SLUICE_SOCKET, which each command
// reads; --socket after the command takes precedence.
void take_socket(int argc, char** argv);

// Returns a line with a remedy for wrong arguments, once `app` has read them.
std::string explained(const CLI::App& app, const CLI::ParseError& error);

}  // namespace sluice::cli
