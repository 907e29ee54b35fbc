#include "tools/sluice/edit_words.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "tools/sluice/client.h"
#include "tools/sluice/help.h"
#include "tools/sluice/save.h"

namespace sluice::cli {

namespace {

constexpr const char* about_keys =
    "A key is named by its path in the file, as in `sluice diff` and messages:\n"
    "  defaults.pfc.xoff       a key of all ports\n"
    "  ports.host1.rate        a key of a port by name; also ports[host1].rate, ports[0].rate\n"
    "  ports.host1.ecn.3.low   a key of a numbered table\n"
    "  vlans.10.name           a key of a VLAN by its id\n"
    "A VALUE is YAML: 1G, true, [3, 4], '{low: 32KiB, high: 96KiB, probability: 0.1}'.\n"
    "All keys change, or none. Keys that need a restart are refused and named; --file writes\n"
    "them to the file instead.\n";

// Whether an option of `sluice set` has a value.
enum class Takes : uint8_t { nothing, value };
struct Option {
    std::string_view name;
    Takes takes;
};
constexpr auto options_of_set = std::to_array<Option>({{"--confirm", Takes::value},
                                                       {"--file", Takes::value},
                                                       {"--socket", Takes::value},
                                                       {"--json", Takes::nothing},
                                                       {"--help", Takes::nothing},
                                                       {"-h", Takes::nothing}});

// Returns the option that a word names, alone or as --name=value; null if the word is no option.
const Option* option_at(std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    const auto* const found = std::ranges::find(options_of_set, name, &Option::name);
    return found == options_of_set.end() ? nullptr : found;
}

// Whether CLI11 would read a value as a list of words, or as an option.
bool is_to_be_kept_whole(std::string_view value) {
    return (value.starts_with('[') && value.ends_with(']')) || value.starts_with('-');
}

}  // namespace

EditWords::EditWords(CLI::App& app) {
    options_.socket = default_socket;
    const auto add_common = [this](CLI::App& command) {
        command.add_flag("--json", options_.json, "For programs");
        add_socket(command, options_.socket);
    };
    const auto add_edit = [&](CLI::App& command) {
        add_confirm(command, options_.confirm_within);
        command.add_option("--file", options_.file, "Change this file instead, for the next start")
            ->type_name("FILE")
            ->excludes(command.get_option("--confirm"));
        add_common(command);
        command.footer(about_keys);
    };
    set_ = app.add_subcommand("set", "Change keys of the running configuration");
    set_->add_option("KEY", options_.words, "Key to set, and its VALUE; more pairs may follow")
        ->required()
        ->expected(1, 200)
        ->option_text("VALUE ...");
    add_edit(*set_);

    unset_ = app.add_subcommand("unset", "Remove keys from the running configuration");
    unset_->add_option("KEY", options_.words, "Key to remove, so that its default applies")
        ->required()
        ->option_text("...");
    add_edit(*unset_);

    save_ = app.add_subcommand(
        "save", "Write the running configuration to the file that sluiced was started with");
    add_common(*save_);
    save_->footer(
        "Keeps comments and order. Refused while a change awaits `sluice confirm`, and if the\n"
        "file changed since sluiced read it.\n");
}

std::vector<std::string> EditWords::whole_values(std::vector<std::string> words) {
    const auto command = std::ranges::find(words, "set");
    bool is_value = false;  // whether the word is the value of the key before it
    for (auto word = command; word != words.end(); ++word) {
        if (word == command) continue;
        if (const Option* option = option_at(*word)) {
            const bool alone = option->takes == Takes::value && word->size() == option->name.size();
            if (alone && word + 1 != words.end()) ++word;
            continue;
        }
        if (is_value && is_to_be_kept_whole(*word)) word->insert(0, 1, ' ');
        is_value = !is_value;
    }
    std::ranges::reverse(words);
    return words;
}

bool EditWords::parsed() const { return set_->parsed() || unset_->parsed() || save_->parsed(); }

int EditWords::run() const {
    if (save_->parsed()) return save(options_.socket, options_.json);
    SetOptions options = options_;
    options.unset = unset_->parsed();
    for (std::string& word : options.words) {
        if (word.starts_with(" [") || word.starts_with(" -")) word.erase(0, 1);
    }
    return set(options);
}

}  // namespace sluice::cli
