#include "tools/sim/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "config/reference.h"
#include "config/yaml/scalar.h"
#include "config/yaml/suggestion.h"

namespace sluice::sim {

using config::Key;
using config::Node;

namespace {

std::string_view kind_of(const Node& node) {
    switch (node.kind) {
        case Node::Kind::list:
            return "is a list";
        case Node::Kind::map:
            return "is a map";
        case Node::Kind::nothing:
            return "has no value";
        default:
            return "is a word";
    }
}

}  // namespace

Fields::Fields(config::Report& report, const Node* node, std::string path, config::Position at,
               std::span<const Key> keys)
    : report_(&report), node_(node), path_(std::move(path)), at_(at), keys_(keys) {
    if (node == nullptr) return;
    if (node->kind != Node::Kind::map) {
        node_ = nullptr;
        if (node->kind == Node::Kind::unusable) return;
        report.add(at_, path_.empty() ? "file" : path_, std::string(kind_of(*node)),
                   "write a map of keys");
        return;
    }
    std::vector<std::string_view> names;
    for (const Key& key : keys) names.push_back(key.name);
    std::set<std::string_view> seen;
    for (const Node& key : node->keys) {
        if (key.kind != Node::Kind::scalar) continue;
        const std::string place = below(config::in_path(key.text));
        if (!seen.insert(key.text).second) {
            report.add(key.at, place, "is written twice", "keep one");
        } else if (std::ranges::find(names, key.text) == names.end()) {
            const auto meant = config::nearest(key.text, names);
            report.add(key.at, place, "is not a known key",
                       meant ? fmt::format("did you mean {}", *meant)
                             : fmt::format("the keys here are {}", config::joined(names, ", ")));
        }
    }
}

std::string Fields::below(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const Node* Fields::find(std::string_view key) const {
    if (node_ == nullptr) return nullptr;
    for (std::size_t n = 0; n < node_->keys.size(); ++n) {
        const bool is_it = node_->keys[n].kind == Node::Kind::scalar && node_->keys[n].text == key;
        if (is_it) return &node_->items[n];
    }
    return nullptr;
}

const Key& Fields::key_of(std::string_view name) const {
    const auto found = std::ranges::find(keys_, name, &Key::name);
    if (found == keys_.end()) std::abort();
    return *found;
}

void Fields::fault_at(const Node& node, std::string_view key, std::string what,
                      std::string remedy) {
    clean_ = false;
    const bool placed = node.kind != Node::Kind::nothing;
    report_->add(placed ? node.at : at_, below(key), std::move(what), std::move(remedy));
}

void Fields::fault(std::string_view key, std::string what, std::string remedy) {
    const Node* node = find(key);
    fault_at(node != nullptr ? *node : Node{}, key, std::move(what), std::move(remedy));
}

Fields::Scalar Fields::scalar(std::string_view name) {
    const Key& key = key_of(name);
    const Node* node = find(name);
    const auto fallback = [&] {
        if (key.fallback.empty()) return Scalar{key.lowest, {}};
        const auto read = config::read_scalar(std::string(key.fallback), key);
        if (!read) std::abort();
        return Scalar{read->number, read->text};
    };
    if (node == nullptr) {
        if (key.required && node_ != nullptr) {
            fault(name, "is missing", "write " + config::expected(key));
        }
        return fallback();
    }
    if (node->kind == Node::Kind::unusable) return fallback();
    if (node->kind != Node::Kind::scalar) {
        fault(name, std::string(kind_of(*node)), "write " + config::expected(key));
        return fallback();
    }
    auto read = config::read_scalar(node->text, key);
    if (read) return {read->number, read->text};
    fault(name, std::move(read.error().what), std::move(read.error().remedy));
    return fallback();
}

int64_t Fields::number(std::string_view key) { return scalar(key).number; }
std::string Fields::text(std::string_view key) { return scalar(key).text; }

Fields Fields::map(std::string_view key, std::span<const Key> keys) {
    const Node* node = find(key);
    return {*report_, node, below(key),
            node != nullptr && node->kind != Node::Kind::nothing ? node->at : at_, keys};
}

std::vector<Fields> Fields::maps(std::string_view key, std::span<const Key> keys) {
    std::vector<Fields> all;
    const Node* list = find(key);
    if (list == nullptr || list->kind == Node::Kind::unusable) return all;
    if (list->kind != Node::Kind::list) {
        fault(key, std::string(kind_of(*list)), "write a list of maps");
        return all;
    }
    const std::size_t most = key_of(key).most;
    if (list->items.size() > most) {
        fault(key, fmt::format("has {} items", list->items.size()),
              fmt::format("write at most {}", most));
    }
    for (std::size_t n = 0; n < std::min(most, list->items.size()); ++n) {
        const Node& item = list->items[n];
        all.emplace_back(*report_, &item, fmt::format("{}[{}]", below(key), n),
                         item.kind == Node::Kind::nothing ? list->at : item.at, keys);
    }
    return all;
}

std::vector<Node> Fields::words(std::string_view key) {
    const Node* node = find(key);
    if (node == nullptr) {
        if (key_of(key).required && node_ != nullptr) {
            fault(key, "is missing", "write a name, or a list of names");
        }
        return {};
    }
    if (node->kind == Node::Kind::scalar) return {*node};
    if (node->kind == Node::Kind::unusable) return {};
    std::vector<Node> words;
    if (node->kind == Node::Kind::list) {
        for (const Node& item : node->items) {
            if (item.kind == Node::Kind::scalar) words.push_back(item);
        }
    }
    if (words.empty() || words.size() != node->items.size()) {
        fault(key, node->kind == Node::Kind::list ? "holds no names" : std::string(kind_of(*node)),
              "write a name, or a list of names");
    }
    return words;
}

}  // namespace sluice::sim
