#include "tools/sluice/set.h"

#include <fmt/format.h>

#include "config/changes.h"
#include "config/edit/edit.h"
#include "config/loader.h"
#include "config/yaml/fault.h"
#include "tools/sluice/client.h"
#include "tools/sluice/fault_json.h"
#include "tools/sluice/replaced_file.h"
#include "tools/sluice/save.h"

namespace sluice::cli {

namespace {

constexpr int most_tries = 10;
constexpr std::size_t longest_change = 200;  // limit of sluiced
constexpr const char* edited_name = "running";

// Returns the change as the text that sluiced quotes in its event.
std::string what_is_done(const SetOptions& options) {
    std::string text = options.unset ? "unset" : "set";
    for (const std::string& word : options.words) text += ' ' + word;
    if (text.size() <= longest_change) return text;
    std::size_t end = longest_change - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return text.substr(0, end) + "...";
}

config::Edited edited(const SetOptions& options, std::string text) {
    const std::size_t step = options.unset ? 1 : 2;
    for (std::size_t word = 0; word + step <= options.words.size(); word += step) {
        const std::string& path = options.words[word];
        auto next = options.unset ? config::unset_key(text, path)
                                  : config::set_key(text, path, options.words[word + 1]);
        if (!next) return next;
        text = std::move(*next);
    }
    return text;
}

int print_adopted(const SetOptions& options, const std::vector<config::Change>& changes,
                  const std::string& file) {
    if (options.json) {
        return print_outcome({{"changes", changes_json(changes, "running", "set")},
                              {"confirm_s", options.confirm_within},
                              {"file", file}},
                             Json::array(), 0);
    }
    if (changes.empty()) fmt::print("No changes.\n");
    print_changes(changes);
    if (options.confirm_within > 0) {
        fmt::print("Rolls back in {} s unless confirmed (`sluice confirm`).\n",
                   options.confirm_within);
    } else if (!changes.empty()) {
        fmt::print("Until a restart; `sluice save` writes it to {}.\n", config::escaped(file));
    }
    return 0;
}

int set_in_file(const SetOptions& options) {
    const auto file = ReplacedFile::read(options.file);
    if (!file) return print_failure({1, {file.error()}}, options.json);
    const auto next = edited(options, file->text());
    if (!next) return print_failure({2, {next.error()}}, options.json);
    if (const auto read = config::load_text(*next, options.file); !read) {
        return print_faults(read.error(), options.json);
    }
    return print_saved(options.file, *file, *next, {"file", "set"}, options.json);
}

}  // namespace

int set(const SetOptions& options) {
    if (!options.unset && options.words.size() % 2 != 0) {
        return print_failure({2,
                              {fmt::format("{}: has no VALUE; write KEY VALUE for each key",
                                           config::in_path(options.words.back()))}},
                             options.json);
    }
    if (!options.file.empty()) return set_in_file(options);
    auto client = Client::connect(options.socket);
    if (!client) return print_failure(client.error(), options.json);
    for (int tries = 1;; ++tries) {
        const auto source = client->ask({{"source", true}});
        if (!source) return print_failure(source.error(), options.json);
        const auto text = source->at("text").get<std::string>();
        const auto number = source->at("number").get<uint64_t>();
        const auto next = edited(options, text);
        if (!next) return print_failure({2, {next.error()}}, options.json);
        if (const auto read = config::load_text(*next, edited_name); !read) {
            return print_faults(read.error(), options.json);
        }
        Json order = {{"file", edited_name},
                      {"text", *next},
                      {"number", number},
                      {"change", what_is_done(options)}};
        if (options.confirm_within > 0) order["confirm_s"] = options.confirm_within;
        const auto adopted = client->ask({{"apply", std::move(order)}});
        if (adopted) {
            return print_adopted(options, config::changes(text, *next),
                                 source->at("file").get<std::string>());
        }
        const auto again = client->ask({{"source", true}});
        const bool overtaken = again && again->at("number").get<uint64_t>() != number;
        if (!overtaken || tries == most_tries) {
            return print_failure(adopted.error(), options.json, edited_name);
        }
    }
}

}  // namespace sluice::cli
