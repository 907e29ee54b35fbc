#include "config/edit/completion.h"

#include <fmt/format.h>

#include "config/edit/key_path.h"
#include "config/schema.h"

namespace sluice::config {

namespace {

constexpr int64_t most_numbers = 64;  // the most numbers of a table that completion offers

bool goes_on(const Key& key) {
    return key.kind == Kind::map || key.kind == Kind::table || element_map(key) != nullptr;
}

// Returns the names that may follow a key. `node` is the key's written value; null: it has none.
std::vector<std::string> names_below(const Key& key, const Node* node) {
    std::vector<std::string> names;
    if (key.kind == Kind::map) {
        for (const Key& inner : key.inside) {
            names.push_back(fmt::format("{}{}", inner.name, goes_on(inner) ? "." : ""));
        }
    } else if (key.kind == Kind::table) {
        const Key& number = key.inside[0];
        const char* const end = goes_on(key.inside[1]) ? "." : "";
        if (number.highest - number.lowest < most_numbers) {
            for (int64_t next = number.lowest; next <= number.highest; ++next) {
                names.push_back(fmt::format("{}{}", next, end));
            }
        }
    } else if (element_map(key) != nullptr && node != nullptr) {
        for (std::size_t place = 0; place < node->items.size(); ++place) {
            names.push_back(name_of_element(key.inside[0], node->items[place], place) + '.');
        }
    }
    return names;
}

// Returns the node that the path leads to; null if the document does not have it.
const Node* node_at(const KeyPath& path, const Node& document) {
    if (path.known() < path.steps.size()) return nullptr;
    const Node* node = &document;
    for (const PathStep& step : path.steps) node = &node->items[*step.place];
    return node;
}

}  // namespace

std::vector<std::string> path_completions(std::string_view start, const Node& document) {
    // Names may have dots, so the longest beginning of `start` that is a path counts.
    for (std::size_t dot = start.rfind('.'); dot != std::string_view::npos && dot > 0;
         dot = start.rfind('.', dot - 1)) {
        const std::string_view head = start.substr(0, dot);
        const auto path = key_path(head, document);
        if (!path) continue;
        std::vector<std::string> found;
        for (const auto& name : names_below(*path->steps.back().key, node_at(*path, document))) {
            std::string whole = fmt::format("{}.{}", head, name);
            if (whole.starts_with(start)) found.push_back(std::move(whole));
        }
        if (!found.empty()) return found;
    }
    std::vector<std::string> found;
    for (std::string& name : names_below(schema(), &document)) {
        if (name.starts_with(start)) found.push_back(std::move(name));
    }
    return found;
}

std::vector<std::string> value_completions(std::string_view path, const Node& document) {
    const auto found = key_path(path, document);
    if (!found) return {};
    const Key& key = *found->steps.back().key;
    if (key.kind == Kind::boolean) return {"true", "false"};
    if (key.kind != Kind::choice) return {};
    return {key.choices.begin(), key.choices.end()};
}

}  // namespace sluice::config
