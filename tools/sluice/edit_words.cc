#include "tools/sluice/edit_words.h"

#include <algorithm>

#include "tools/sluice/client.h"
#include "tools/sluice/help.h"
#include "tools/sluice/save.h"

namespace sluice::cli {

namespace {

constexpr const char* about_keys =
    "A key goes by its place in the file, as `sluice diff` and messages have it:\n"
    "  defaults.pfc.xoff       a key of all ports\n"
    "  ports.host1.rate        of a port by its name; likewise ports[host1].rate, ports[0].rate\n"
    "  ports.host1.ecn.3.low   of a table by its number\n"
    "  vlans.10.name           of a VLAN by its id\n"
    "A VALUE is YAML: 1G, true, [3, 4], '{low: 32KiB, high: 96KiB, probability: 0.1}'.\n"
    "Nothing changes unless all of it can; what needs a restart is refused, and named:\n"
    "--file puts it into the file for that.\n";

}  // namespace

EditWords::EditWords(CLI::App& app) {
    options_.socket = default_socket;
    const auto add_common = [this](CLI::App& command) {
        command.add_flag("--json", options_.json, "For programs");
        add_socket(command, options_.socket);
    };
    const auto add_edit = [&](CLI::App& command) {
        add_confirm(command, options_.confirm_within);
        command.add_option("--file", options_.file, "Instead: in this file, for the next start")
            ->type_name("FILE")
            ->excludes(command.get_option("--confirm"));
        add_common(command);
        command.footer(about_keys);
    };
    set_ = app.add_subcommand("set", "Change keys of the configuration that runs");
    set_->add_option("KEY", options_.words, "Which, and its VALUE; may be followed by others")
        ->required()
        ->expected(1, 200)
        ->option_text("VALUE ...");
    add_edit(*set_);

    unset_ = app.add_subcommand("unset", "Take keys out of the configuration that runs");
    unset_->add_option("KEY", options_.words, "Which; what it was is a default then, or gone")
        ->required()
        ->option_text("...");
    add_edit(*unset_);

    save_ = app.add_subcommand(
        "save", "Write the configuration that runs to the file that sluiced was started with");
    add_common(*save_);
    save_->footer(
        "Comments and order are kept. Refused while `sluice confirm` is waited for, and where\n"
        "somebody else changed the file since sluiced read it.\n");
}

std::vector<std::string> EditWords::whole_values(int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const auto command = std::ranges::find(words, "set");
    std::for_each(command, words.end(), [](std::string& word) {
        if (word.starts_with('[') && word.ends_with(']')) word.insert(0, 1, ' ');
    });
    std::ranges::reverse(words);
    return words;
}

bool EditWords::parsed() const { return set_->parsed() || unset_->parsed() || save_->parsed(); }

int EditWords::run() const {
    if (save_->parsed()) return save(options_.socket, options_.json);
    SetOptions options = options_;
    options.unset = unset_->parsed();
    for (std::string& word : options.words) {
        if (word.starts_with(" [")) word.erase(0, 1);
    }
    return set(options);
}

}  // namespace sluice::cli
