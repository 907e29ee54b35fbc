// Keys that are set and unset in the example files, one after the other, whatever keys: the text
// read back says that and nothing else otherwise, and each line of comment that stood outside of
// what went is still there, in its order.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "config/edit/edit.h"
#include "config/edit/extent.h"
#include "config/edit/key_path.h"
#include "config/loader.h"
#include "tests/property/draw.h"

namespace sluice::property {
namespace {

using config::Key;
using config::Kind;
using config::Node;

const std::vector<std::string>& example_texts() {
    static const std::vector<std::string> texts = [] {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(CONFIG_FOLDER "/examples")) {
            if (entry.path().extension() == ".yaml") files.push_back(entry.path());
        }
        std::ranges::sort(files);
        std::vector<std::string> read;
        for (const auto& file : files) {
            std::ifstream stream(file);
            read.emplace_back(std::istreambuf_iterator<char>(stream),
                              std::istreambuf_iterator<char>());
        }
        return read;
    }();
    return texts;
}

Node document_of(const std::string& text) {
    config::Report report("property");
    auto document = config::read_document(text, report);
    RC_ASSERT(document.has_value());
    RC_ASSERT(report.clean());
    return std::move(*document);
}

// Draws a path into the schema; places are those of the document where `known` says so.
std::string draw_path(const Node& document) {
    const Node* node = &document;
    const Key* key = &config::schema();
    std::string path;
    for (int depth = 0; depth < 5; ++depth) {
        if (key->kind == Kind::list && config::element_map(*key) != nullptr) {
            const std::size_t count = node == nullptr ? 0 : node->items.size();
            const auto place = between<std::size_t>(0, static_cast<int64_t>(count));
            path += '[' + std::to_string(place) + ']';
            node = place < count ? &node->items[place] : nullptr;
            key = &key->inside[0];
        } else if (key->kind == Kind::map) {
            const bool known = node != nullptr && !node->keys.empty() && between<int>(0, 3) > 0;
            std::string name;
            if (known) {
                name =
                    node->keys[between<std::size_t>(0, static_cast<int64_t>(node->keys.size()) - 1)]
                        .text;
            } else {
                name = key->inside[between<std::size_t>(
                                       0, static_cast<int64_t>(key->inside.size()) - 1)]
                           .name;
            }
            path += (path.empty() ? "" : ".") + name;
            const Node* below = nullptr;
            if (node != nullptr) {
                const auto found = std::ranges::find(node->keys, name, &Node::text);
                if (found != node->keys.end()) {
                    below = &node->items[static_cast<std::size_t>(found - node->keys.begin())];
                }
            }
            node = below;
            const auto known_key = std::ranges::find(key->inside, name, &Key::name);
            if (known_key == key->inside.end()) return "fabric.slots";  // nonsense of a turn before
            key = &*known_key;
        } else {
            break;
        }
        if (depth > 0 && between<int>(0, 3) == 0) break;
    }
    return path;
}

std::string draw_value() {
    return one_of<const char*>({"1", "64KiB", "[3, 4]", "{a: 1, b: [x, {c: d}]}", "'# no: comment'",
                                "\"a \\\" b\"", "ring:x/a", "{}", "[]", "a b", "0x10", "'{'"});
}

std::vector<std::string> comments_of(std::string_view text) {
    std::vector<std::string> comments;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.starts_with('#')) comments.emplace_back(line);
    }
    return comments;
}

// The step from which on all goes: a map or list that would hold nothing goes as well, but for a
// map in a list.
std::size_t depth_of_what_goes(const Node& document, const config::KeyPath& path) {
    std::size_t depth = 0;
    const Node* node = &document;
    for (std::size_t step = 0; step < path.steps.size(); ++step) {
        const bool in_list_above = step >= 2 && path.steps[step - 2].key->kind == Kind::list;
        if (step == 0 || in_list_above || node->items.size() > 1) depth = step;
        node = &node->items[*path.steps[step].place];
    }
    return depth;
}

// True if the value is a scalar, a list or a map, as the schema has it there, and of a list each
// element: what is set below a scalar is refused, and no file that loads has one there.
bool fits(const Node& value, const Key& key) {
    if (key.kind == Kind::list) {
        return value.kind == Node::Kind::list &&
               (config::element_map(key) == nullptr ||
                std::ranges::all_of(value.items, [](const Node& element) {
                    return element.kind == Node::Kind::map;
                }));
    }
    const bool map = key.kind == Kind::map || key.kind == Kind::table;
    return value.kind == (map ? Node::Kind::map : Node::Kind::scalar);
}

// Returns the comments of `text` outside the lines of the node at the path, if there is one.
std::vector<std::string> comments_that_stay(const std::string& text, const config::KeyPath& path,
                                            const Node& document) {
    if (path.known() < path.steps.size()) return comments_of(text);
    const std::size_t depth = depth_of_what_goes(document, path);
    const Node* node = &document;
    const Node* key = nullptr;
    for (std::size_t step = 0; step <= depth; ++step) {
        const std::size_t place = *path.steps[step].place;
        key = node->kind == Node::Kind::map ? &node->keys[place] : nullptr;
        node = &node->items[place];
    }
    const config::Extent extent(text);
    const std::size_t from = extent.line_start(extent.start_of(key == nullptr ? *node : *key));
    const auto end =
        key == nullptr ? extent.end_of(*node, true) : extent.end_of_entry(*key, *node, true);
    const auto block_end =
        key == nullptr ? extent.end_of(*node, false) : extent.end_of_entry(*key, *node, false);
    const std::size_t last = std::max(end.value_or(0), block_end.value_or(0));
    RC_ASSERT(last > 0);
    return comments_of(text.substr(0, from) + text.substr(extent.next_line(last)));
}

// Returns the tree without the node at the first step that one of the two trees does not have.
Node without(Node document, const config::KeyPath& path, std::size_t depth) {
    Node* node = &document;
    for (std::size_t step = 0; step < depth; ++step) node = &node->items[*path.steps[step].place];
    if (!path.steps[depth].place) return document;
    const auto place = static_cast<std::ptrdiff_t>(*path.steps[depth].place);
    if (node->kind == Node::Kind::map) node->keys.erase(node->keys.begin() + place);
    node->items.erase(node->items.begin() + place);
    return document;
}

// Returns the path in the changed tree: new nodes are the last of their parents.
config::KeyPath grown(config::KeyPath path, const Node& after) {
    const Node* node = &after;
    for (config::PathStep& step : path.steps) {
        if (!step.place) step.place = node->items.size() - 1;
        node = &node->items[*step.place];
    }
    return path;
}

const Node& node_at(const Node& document, const config::KeyPath& path) {
    const Node* node = &document;
    for (const config::PathStep& step : path.steps) node = &node->items[*step.place];
    return *node;
}

// A new element of a list is given its name besides.
bool says(Node node, const config::KeyPath& path, const Node& value) {
    if (config::same(node, value)) return true;
    const Key* const label = path.steps.back().label;
    if (label == nullptr || node.keys.empty() || node.keys.front().text != label->name)
        return false;
    node.keys.erase(node.keys.begin());
    node.items.erase(node.items.begin());
    return config::same(node, value);
}

bool in_order(const std::vector<std::string>& wanted, const std::vector<std::string>& there) {
    auto next = there.begin();
    return std::ranges::all_of(wanted, [&](const std::string& line) {
        next = std::find(next, there.end(), line);
        return next != there.end() && next++ != there.end();
    });
}

RC_GTEST_PROP(Edit, ChangesOneKeyAndKeepsComments, ()) {
    std::string text = *rc::gen::elementOf(example_texts());
    for (auto turns = between<int>(1, 6); turns > 0; --turns) {
        const Node before = document_of(text);
        const std::string path = draw_path(before);
        const bool sets = between<int>(0, 2) > 0;
        const std::string value = draw_value();
        RC_LOG() << text << (sets ? "set " + path + " " + value : "unset " + path) << '\n';
        const auto found = config::key_path(path, before);
        RC_ASSERT(found.has_value());
        const bool is_there = found->known() == found->steps.size();
        const bool all = is_there && found->steps.size() == 1 && before.items.size() == 1;
        const auto edited =
            sets ? config::set_key(text, path, value) : config::unset_key(text, path);
        if (!edited) {
            RC_LOG() << edited.error() << '\n';
            // The only things that are refused of a path that is right.
            RC_ASSERT(!sets);
            RC_ASSERT(!is_there || all || before.items.size() == 1);
            continue;
        }
        const Node after = document_of(*edited);
        if (sets) {  // all that came begins with the first step that was not there
            const config::KeyPath now = grown(*found, after);
            const std::size_t depth = std::min(found->known(), found->steps.size() - 1);
            RC_ASSERT(says(node_at(after, now), now, document_of(value)));
            RC_ASSERT(config::same(without(before, *found, depth), without(after, now, depth)));
        } else {
            const std::size_t depth = depth_of_what_goes(before, *found);
            RC_ASSERT(config::same(without(before, *found, depth), after));
        }
        RC_ASSERT(in_order(comments_that_stay(text, *found, before), comments_of(*edited)));
        if (!sets || fits(document_of(value), *found->steps.back().key)) text = *edited;
    }
}

}  // namespace
}  // namespace sluice::property
