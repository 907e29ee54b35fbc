// Help: what the words after `sluice` have in common: the examples of the command that is asked,
// --socket before the command or behind it, --confirm, and what a misspelled word probably meant.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>

namespace sluice::cli {

// Of a misspelled word: ` did you mean show?;`, or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

// `--help` of each command ends with the lines of `examples` that begin with it, in place of all.
void give_own_examples(CLI::App& app, std::string_view examples);

// --socket PATH, which SLUICE_SOCKET stands in for.
void add_socket(CLI::App& command, std::string& socket);
// --confirm TIME, in seconds.
void add_confirm(CLI::App& command, unsigned& within);

// Lets what stands before the command say where sluiced answers, for whichever command follows:
// by SLUICE_SOCKET, which each reads, and what stands behind the command goes before.
void take_socket(int argc, char** argv);

// Of words that were wrong, once `app` has read them: a line with a remedy.
std::string explained(const CLI::App& app, const CLI::ParseError& error);

}  // namespace sluice::cli
