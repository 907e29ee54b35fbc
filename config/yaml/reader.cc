#include "config/yaml/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "config/reference.h"
#include "config/yaml/scalar.h"
#include "config/yaml/suggestion.h"

namespace sluice::config {

namespace {

const Value* find(const Value& map, std::string_view key) {
    const auto found = std::find_if(map.items.begin(), map.items.end(),
                                    [&](const Value& item) { return item.name == key; });
    return found == map.items.end() ? nullptr : &*found;
}

std::string below(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

// Returns the path of the map of the schema that has a key of this name. `defaults` is skipped, as
// it has the keys of `ports[]`.
std::optional<std::string> home_of(std::string_view name, const Key& map, const std::string& path) {
    for (const Key& key : map.inside) {
        if (key.name == name) return path.empty() ? "the top" : path;
        if (key.name == "defaults") continue;
        std::optional<std::string> home;
        const std::string place = below(path, key.name);
        if (key.kind == Kind::map) home = home_of(name, key, place);
        if (const Key* element = element_map(key)) {
            home = home_of(name, *element, fmt::format("{}{}", place, any_element(key)));
        }
        if (home) return home;
    }
    return std::nullopt;
}

// Describes a node of another kind than the key needs, for a message.
std::string described(const Node& node) {
    switch (node.kind) {
        case Node::Kind::list:
            return "is a list";
        case Node::Kind::map:
            return "is a map";
        default:
            return fmt::format("is the text {}", in_quotes(node.text));
    }
}

class Reader {
  public:
    explicit Reader(Report& report) : report_(report) {}

    // `path` and `at` belong to the key. `inherited`: the key's value under `defaults`, or null.
    Value read(const Node* node, const Key& key, const std::string& path, Position at,
               const Value* inherited) {
        const bool empty_map =
            node != nullptr && node->kind == Node::Kind::nothing && key.kind == Kind::map;
        if (node == nullptr && inherited != nullptr && key.inherits.empty()) return *inherited;
        Value value;
        value.name = key.name;
        value.path = path;
        value.at = at;
        if (key.kind == Kind::map && (node == nullptr || empty_map)) {
            const Node nothing_written{
                .kind = Node::Kind::map, .at = at, .text = {}, .keys = {}, .items = {}};
            read_map(nothing_written, key, inherited, value);
        } else if (node == nullptr) {
            fall_back(key, value);
        } else {
            value.written = true;
            read_written(*node, key, inherited, value);
        }
        return value;
    }

  private:
    void fault(const Value& value, std::string what, std::string remedy) {
        report_.add(value.at, value.path.empty() ? "file" : value.path, std::move(what),
                    std::move(remedy));
    }
    void spoil(Value& value, std::string what, std::string remedy) {
        fault(value, std::move(what), std::move(remedy));
        value.valid = false;
    }

    void fall_back(const Key& key, Value& value) {
        if (key.required) return spoil(value, "is missing", "write " + expected(key));
        if (key.fallback.empty()) return;
        const bool nested = key.kind == Kind::list || key.kind == Kind::table;
        const auto text = std::string(key.fallback);
        Report of_schema("schema");
        Node node{.kind = Node::Kind::scalar, .at = {}, .text = text, .keys = {}, .items = {}};
        if (nested) node = read_document(text, of_schema).value_or(Node{});
        const Position at = value.at;
        Reader(of_schema).read_written(node, key, nullptr, value);
        value.at = at;
        assert(of_schema.clean());
    }

    void read_written(const Node& node, const Key& key, const Value* inherited, Value& value) {
        if (node.kind == Node::Kind::unusable) return void_out(key, value);
        if (node.kind == Node::Kind::nothing) {
            return spoil(value, "has no value", "write " + expected(key));
        }
        value.at = node.at;
        Node::Kind right = Node::Kind::scalar;
        if (key.kind == Kind::map || key.kind == Kind::table) right = Node::Kind::map;
        if (key.kind == Kind::list) right = Node::Kind::list;
        if (key.or_one && node.kind == Node::Kind::scalar) {
            value.items.push_back(read(&node, key.inside[0], value.path, node.at, nullptr));
            value.valid = value.items.front().valid;
            return;
        }
        if (node.kind != right) {
            fault(value, described(node), "write " + expected(key));
            return void_out(key, value);
        }

        switch (key.kind) {
            case Kind::map:
                return read_map(node, key, inherited, value);
            case Kind::list:
                return read_list(node, key, inherited, value);
            case Kind::table:
                return read_table(node, key, value);
            default:
                break;
        }
        auto scalar = read_scalar(node.text, key);
        if (!scalar) {
            return spoil(value, std::move(scalar.error().what), std::move(scalar.error().remedy));
        }
        value.number = scalar->number;
        value.text = std::move(scalar->text);
    }

    // Marks a value and all values inside it as invalid.
    static void void_out(const Key& key, Value& value) {
        value.valid = false;
        if (key.kind != Kind::map) return;
        for (const Key& inner : key.inside) {
            Value& item = value.items.emplace_back();
            item.name = inner.name;
            item.path = below(value.path, inner.name);
            item.at = value.at;
            void_out(inner, item);
        }
    }

    void read_map(const Node& node, const Key& map, const Value* inherited, Value& value) {
        std::map<std::string_view, const Node*> written;
        std::map<std::string_view, Position> key_at;
        for (std::size_t index = 0; index < node.keys.size() && !report_.full(); ++index) {
            const Node& key = node.keys[index];
            if (key.kind == Node::Kind::unusable) {
                value.valid = false;
                continue;
            }
            const auto [first, is_new] = key_at.emplace(key.text, key.at);
            if (!is_new) {
                written_twice(key, value, first->second);
            } else if (!known(key.text, map)) {
                unknown(key, map, value);
            } else {
                written.emplace(key.text, &node.items[index]);
            }
        }
        const bool inherits = inherited != nullptr && !(map.one_piece && value.written);
        for (const Key& key : map.inside) {
            const auto found = written.find(key.name);
            const bool is_written = found != written.end();
            const Value* from = inherits ? find(*inherited, key.name) : nullptr;
            if (!key.inherits.empty()) from = find(value, key.inherits);
            Value item =
                read(is_written ? found->second : nullptr, key, below(value.path, key.name),
                     is_written ? key_at.at(key.name) : value.at, from);
            value.valid = value.valid && item.valid;
            value.items.push_back(std::move(item));
        }
    }

    // The items of a list inherit the same value as the list: for `ports`, that is `defaults`.
    void read_list(const Node& node, const Key& list, const Value* inherited, Value& value) {
        const std::size_t count = node.items.size();
        if (count < list.fewest || count > list.most) {
            spoil(value, fmt::format("has {} item{}", count, count == 1 ? "" : "s"),
                  "write " + expected(list));
        }
        std::set<std::pair<int64_t, std::string>> seen;
        for (std::size_t index = 0; index < std::min(count, list.most) && !report_.full();
             ++index) {
            const Node& item = node.items[index];
            // An empty item has no position: yaml-cpp reports the position of the next item.
            const Position at = item.kind == Node::Kind::nothing ? value.at : item.at;
            value.items.push_back(read(&item, list.inside[0],
                                       fmt::format("{}[{}]", value.path, index), at, inherited));
            Value& read_item = value.items.back();
            if (list.distinct && read_item.valid &&
                !seen.emplace(read_item.number, read_item.text).second) {
                spoil(read_item, fmt::format("{} is listed twice", item.text), "keep one");
            }
            value.valid = value.valid && read_item.valid;
        }
    }

    void read_table(const Node& node, const Key& table, Value& value) {
        std::map<int64_t, Position> key_at;
        for (std::size_t index = 0; index < node.keys.size() && !report_.full(); ++index) {
            const Node& key = node.keys[index];
            if (key.kind == Node::Kind::unusable) {
                value.valid = false;
                continue;
            }
            Value number =
                read(&key, table.inside[0], below(value.path, in_path(key.text)), key.at, nullptr);
            if (number.valid) {
                const auto [first, is_new] = key_at.emplace(number.number, key.at);
                if (!is_new) written_twice(key, value, first->second);
            }
            Value item = read(&node.items[index], table.inside[1], number.path, key.at, nullptr);
            item.table_key = number.number;
            item.valid = item.valid && number.valid;  // else the item would count for number 0
            value.valid = value.valid && item.valid;
            value.items.push_back(std::move(item));
        }
    }

    static bool known(std::string_view name, const Key& map) {
        return std::any_of(map.inside.begin(), map.inside.end(),
                           [&](const Key& key) { return key.name == name; });
    }

    void unknown(const Node& key, const Key& map, Value& value) {
        report_.add(key.at, below(value.path, in_path(key.text)), "is not a known key",
                    remedy_of_unknown(key.text, map));
        value.valid = false;
    }

    void written_twice(const Node& key, Value& value, Position first) {
        report_.add(key.at, below(value.path, in_path(key.text)), "is written twice",
                    fmt::format("keep one, the first is in line {}", first.line));
        value.valid = false;
    }

    Report& report_;
};

}  // namespace

const Value& Value::operator[](std::string_view key) const {
    const Value* found = find(*this, key);
    if (found == nullptr) std::abort();
    return *found;
}

bool Value::lists(int64_t wanted) const {
    return std::any_of(items.begin(), items.end(),
                       [wanted](const Value& item) { return item.valid && item.number == wanted; });
}

std::string remedy_of_unknown(const std::string& name, const Key& map) {
    std::vector<std::string_view> names;
    for (const Key& candidate : map.inside) names.push_back(candidate.name);
    if (const auto meant = nearest(name, names)) return fmt::format("did you mean {}", *meant);
    if (const auto home = home_of(name, schema(), "")) {
        return fmt::format("it belongs under {}", *home);
    }
    return fmt::format("the keys here are {}", joined(names, ", "));
}

Value read_values(const Node& document, Report& report) {
    Reader reader(report);
    return reader.read(&document, schema(), "", document.at, nullptr);
}

}  // namespace sluice::config
