#include "tools/sluice/schema_words.h"

#include <fmt/format.h>

#include "config/edit/completion.h"
#include "config/yaml/fault.h"
#include "tools/sluice/client.h"
#include "tools/sluice/help.h"
#include "tools/sluice/json_schema.h"

namespace sluice::cli {

namespace {

// Returns the configuration of the running switch; empty if none answers.
config::Node running_document(const std::string& socket) {
    auto client = Client::connect(socket);
    if (!client) return {};
    const auto answer = client->ask({{"show", "config"}});
    if (!answer) return {};
    config::Report report("running");
    return config::read_document(answer->at("text").get<std::string>(), report)
        .value_or(config::Node{});
}

}  // namespace

SchemaWords::SchemaWords(CLI::App& app) : socket_(default_socket) {
    schema_ =
        app.add_subcommand("schema", "Print the JSON Schema of configuration files, for editors");
    asks_keys_ =
        schema_->add_option("--keys", keys_, "Print keys that begin with this instead, for shells")
            ->type_name("START");
    asks_values_ = schema_
                       ->add_option("--values", values_,
                                    "Print the values that a key may have instead, for shells")
                       ->type_name("KEY")
                       ->excludes(asks_keys_);
    add_socket(*schema_, socket_);
    schema_->footer(
        "An editor with YAML support completes keys and marks faults in a file that begins with\n"
        "  # yaml-language-server: $schema=PATH\n"
        "`sluice check FILE` also finds faults that a schema cannot express.");
}

int SchemaWords::run() const {
    if (asks_keys_->count() == 0 && asks_values_->count() == 0) return print_schema();
    const config::Node document = running_document(socket_);
    const auto words = asks_keys_->count() > 0 ? config::path_completions(keys_, document)
                                               : config::value_completions(values_, document);
    for (const std::string& word : words) fmt::print("{}\n", config::escaped(word));
    return 0;
}

}  // namespace sluice::cli
