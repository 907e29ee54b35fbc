// A configuration that is printed and read again is the same: every key where it was, every word as
// it was, whatever the words.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "config/printed.h"
#include "config/schema.h"
#include "config/yaml/document.h"
#include "tests/property/draw.h"

namespace sluice::property {
namespace {

using config::Key;
using config::Kind;
using config::Node;

std::string draw_word() {
    static const std::string octets = "ab9 :#-,[]{}'\"\\&*!|>%@`?~\t\n\u00e9";
    static const std::vector<std::string> known = {"null", "~",     "true", "- a", "0x10", "1:2",
                                                   "a: b", "ring:", "",     "---", "...",  "1e3"};
    if (between<int>(0, 3) == 0) return *rc::gen::elementOf(known);
    std::string word;
    for (auto length = between<std::size_t>(1, 6); length > 0; --length) {
        word += octets[between<std::size_t>(0, 26)];
    }
    return word;
}

Node node_of(Node::Kind kind) {
    return {.kind = kind, .at = {}, .text = {}, .keys = {}, .items = {}};
}
Node draw_scalar() {
    Node node = node_of(Node::Kind::scalar);
    node.text = draw_word();
    return node;
}

Node draw(const Key& key);

void draw_entry(Node& map, std::string name, const Key& key) {
    Node& word = map.keys.emplace_back(node_of(Node::Kind::scalar));
    word.text = std::move(name);
    map.items.push_back(draw(key));
}

// Few of its keys, in an order of their own.
Node draw(const Key& key) {
    if (key.kind != Kind::map && key.kind != Kind::list && key.kind != Kind::table) {
        return draw_scalar();
    }
    Node node = node_of(key.kind == Kind::list ? Node::Kind::list : Node::Kind::map);
    if (key.kind == Kind::list) {
        for (auto count = between<int>(0, 2); count > 0; --count) {
            node.items.push_back(draw(key.inside[0]));
        }
    } else if (key.kind == Kind::table) {
        for (auto count = between<int>(0, 2); count > 0; --count) {
            draw_entry(node, std::to_string(count), key.inside[1]);
        }
    } else {
        std::vector<std::size_t> places;
        for (auto count = between<int>(0, 3); count > 0; --count) {
            const auto place = between<std::size_t>(0, static_cast<int64_t>(key.inside.size()) - 1);
            if (std::ranges::find(places, place) == places.end()) places.push_back(place);
        }
        for (const std::size_t place : places) {
            draw_entry(node, std::string(key.inside[place].name), key.inside[place]);
        }
    }
    return node;
}

bool same(const Node& one, const Node& other) {
    if (one.kind != other.kind || one.text != other.text) return false;
    if (one.items.size() != other.items.size()) return false;
    for (std::size_t index = 0; index < one.items.size(); ++index) {
        std::size_t place = index;
        if (one.kind == Node::Kind::map) {
            const auto found = std::ranges::find(other.keys, one.keys[index].text, &Node::text);
            if (found == other.keys.end()) return false;
            place = static_cast<std::size_t>(found - other.keys.begin());
        }
        if (!same(one.items[index], other.items[place])) return false;
    }
    return true;
}

RC_GTEST_PROP(Printed, IsReadAsItWas, ()) {
    const Key& schema = config::schema();
    Node file = draw(schema);
    if (file.keys.empty()) draw_entry(file, std::string(schema.inside[1].name), schema.inside[1]);
    const std::string text = config::printed(file);
    RC_LOG() << text;
    config::Report report("drawn");
    const auto again = config::read_document(text, report);
    RC_ASSERT(again.has_value());
    RC_ASSERT(report.clean());
    RC_ASSERT(same(file, *again));
}

}  // namespace
}  // namespace sluice::property
