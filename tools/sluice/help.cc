#include "tools/sluice/help.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <vector>

#include "config/yaml/fault.h"
#include "config/yaml/suggestion.h"

namespace sluice::cli {

namespace {

// Returns the last command that was recognised: for `sluice sim fabirc`, `sim`.
const CLI::App& asked(const CLI::App& app) {
    const auto parsed = app.get_subcommands();
    return parsed.empty() ? app : asked(*parsed.back());
}

std::string path_of(const CLI::App& app) {
    const CLI::App* const above = app.get_parent();
    return above == nullptr ? app.get_name() : path_of(*above) + ' ' + app.get_name();
}

// Returns the words that may follow the command: its options if `options` is set, else its
// commands.
std::vector<std::string> words_of(const CLI::App& app, bool options) {
    std::vector<std::string> words;
    if (!options) {
        for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
            words.push_back(below->get_name());
        }
        return words;
    }
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
    return words;
}

// Returns the entries of a help text that begin with `start`, with their continuation lines.
std::string lines_beginning(std::string_view text, std::string_view start) {
    std::string kept;
    bool keeps = false;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.empty()) break;
        if (!line.starts_with("   ")) keeps = line.starts_with(start);
        if (keeps) kept += fmt::format("{}\n", line);
    }
    return kept;
}

void replace_footer(CLI::App& app, const std::string& old, const std::string& another) {
    if (app.get_footer() == old) app.footer(another);
    for (CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
        replace_footer(*below, old, another);
    }
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
    const auto meant = config::nearest(word, candidates);
    return meant ? fmt::format(" did you mean {}?", *meant) : std::string();
}

void give_own_examples(CLI::App& app, std::string_view examples) {
    const std::string everything = app.get_footer();
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        std::string own =
            lines_beginning(examples, fmt::format("  sluice {} ", command->get_name()));
        if (!own.empty()) own = "Examples:\n" + own;
        const bool has_another = command->get_footer() != everything;
        if (!has_another) {
            replace_footer(*command, everything, own);
        } else if (command->get_footer().find("Examples:") == std::string::npos && !own.empty()) {
            const std::string old = command->get_footer();
            replace_footer(*command, old,
                           fmt::format("{}{}\n{}", old, old.ends_with('\n') ? "" : "\n", own));
        }
    }
}

void add_socket(CLI::App& command, std::string& socket) {
    command.add_option("--socket", socket, "Where sluiced answers")
        ->type_name("PATH")
        ->envname("SLUICE_SOCKET")
        ->capture_default_str();
}

void add_confirm(CLI::App& command, unsigned& within) {
    using Units = std::map<std::string, unsigned>;
    command.add_option("--confirm", within, "Roll back after this time, unless confirmed")
        ->transform(CLI::AsNumberWithUnit(Units{{"s", 1}, {"m", 60}, {"h", 3600}},
                                          CLI::AsNumberWithUnit::CASE_SENSITIVE, ""))
        ->check(CLI::Range(1U, 3600U, "1s to 1h"))
        ->option_text("TIME");
}

void take_socket(int argc, char** argv) {
    constexpr std::string_view option = "--socket";
    for (int at = 1; at < argc && argv[at][0] == '-'; ++at) {
        const std::string_view word = argv[at];
        if (word == option && at + 1 < argc) {
            setenv("SLUICE_SOCKET", argv[++at], 1);
        } else if (word.starts_with(option) && word.substr(option.size()).starts_with('=')) {
            setenv("SLUICE_SOCKET", argv[at] + option.size() + 1, 1);
        }
    }
}

std::string explained(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = asked(app);
    const std::string help = fmt::format("`{} --help` has examples", path_of(command));
    const auto unexpected = app.remaining(true);
    // A ValidationError reports a wrong value, or has a command's own message about unknown words.
    const bool says_all = error.get_name() == "ValidationError";
    if (!unexpected.empty() && !says_all) {
        const std::string& word = unexpected.front();
        const bool option = word.starts_with('-');
        const auto candidates = words_of(command, option);
        if (option || !candidates.empty()) {
            const std::vector<std::string_view> views(candidates.begin(), candidates.end());
            return fmt::format("{}: no such {};{} {}", config::escaped(word),
                               option ? "option" : "command",
                               did_you_mean(word.substr(0, word.find('=')), views), help);
        }
    }
    return fmt::format("{}; {}", error.what(), help);
}

}  // namespace sluice::cli
