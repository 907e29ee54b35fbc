#include "config/printed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "config/schema.h"

namespace sluice::config {

namespace {

constexpr std::string_view in_words = "_./+-:%";

bool is_alphanumeric(char octet) {
    return (octet >= '0' && octet <= '9') || (octet >= 'a' && octet <= 'z') ||
           (octet >= 'A' && octet <= 'Z');
}

// Returns whether the text may be printed without quotes: YAML then reads exactly this text, in a
// flow list and in a block.
bool is_plain(std::string_view text) {
    constexpr std::array<std::string_view, 3> nothing = {"null", "Null", "NULL"};
    if (text.empty() || !is_alphanumeric(text.front()) || text.back() == ':') return false;
    if (std::ranges::find(nothing, text) != nothing.end()) return false;
    return std::ranges::all_of(text, [](char octet) {
        return is_alphanumeric(octet) || in_words.find(octet) != std::string_view::npos;
    });
}

std::string word(std::string_view text) {
    if (is_plain(text)) return std::string(text);
    std::string quoted = "\"";
    for (const char octet : text) {
        switch (octet) {
            case '"':
            case '\\':
                quoted += '\\';
                quoted += octet;
                break;
            case '\n':
                quoted += "\\n";
                break;
            case '\r':
                quoted += "\\r";
                break;
            case '\t':
                quoted += "\\t";
                break;
            default:
                quoted += octet;
        }
    }
    return quoted + '"';
}

bool is_row(const Node& list) {
    return std::ranges::all_of(list.items,
                               [](const Node& item) { return item.kind == Node::Kind::scalar; });
}

class Printer {
  public:
    void print_map(const Node& map, const Key& key, std::size_t indent) {
        if (key.kind == Kind::table) {
            for (std::size_t index = 0; index < map.keys.size(); ++index) {
                print_entry(map.keys[index].text, map.items[index], key.inside[1], indent);
            }
            return;
        }
        for (const Key& inner : key.inside) {
            const auto found = std::ranges::find(map.keys, inner.name, &Node::text);
            if (found == map.keys.end()) continue;
            print_entry(inner.name, map.items[static_cast<std::size_t>(found - map.keys.begin())],
                        inner, indent);
        }
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

  private:
    void print_entry(std::string_view name, const Node& value, const Key& key, std::size_t indent) {
        if (value.kind == Node::Kind::nothing)
            return;  // an entry without a value counts as not written
        begin_line(indent);
        text_ += word(name) + ':';
        print_value(value, key, indent);
    }
    void print_value(const Node& value, const Key& key, std::size_t indent) {
        if (value.kind == Node::Kind::scalar) {
            text_ += ' ' + word(value.text) + '\n';
        } else if (value.kind == Node::Kind::map && says_nothing(value)) {
            text_ += " {}\n";
        } else if (value.kind == Node::Kind::map) {
            text_ += '\n';
            print_map(value, key, indent + 2);
        } else if (is_row(value)) {
            print_row(value);
        } else {
            text_ += '\n';
            for (const Node& item : value.items) print_item(item, key.inside[0], indent + 2);
        }
    }
    // Returns whether no entry of the map has a value. Such a map prints as `{}`, as an empty text
    // would not be a map.
    static bool says_nothing(const Node& map) {
        return std::ranges::all_of(
            map.items, [](const Node& item) { return item.kind == Node::Kind::nothing; });
    }
    void print_row(const Node& list) {
        text_ += " [";
        for (const Node& item : list.items) {
            text_ += (&item == &list.items.front() ? "" : ", ") + word(item.text);
        }
        text_ += "]\n";
    }
    // The first line of a map follows the dash of its item.
    void print_item(const Node& item, const Key& key, std::size_t indent) {
        text_.append(indent, ' ').append("-");
        if (item.kind != Node::Kind::map || says_nothing(item)) {
            print_value(item, key, indent);
        } else {
            text_ += ' ';
            behind_dash_ = true;
            print_map(item, key, indent + 2);
        }
    }
    void begin_line(std::size_t indent) {
        if (!std::exchange(behind_dash_, false)) text_.append(indent, ' ');
    }

    std::string text_;
    bool behind_dash_ = false;
};

}  // namespace

std::string printed(const Node& document) {
    Printer printer;
    printer.print_map(document, schema(), 0);
    return printer.take();
}

std::string in_flow_form(const Node& node) {
    if (node.kind == Node::Kind::scalar) return word(node.text);
    if (node.kind == Node::Kind::nothing) return "null";
    std::string text;
    for (std::size_t index = 0; index < node.items.size(); ++index) {
        if (index > 0) text += ", ";
        if (node.kind == Node::Kind::map) text += word(node.keys[index].text) + ": ";
        text += in_flow_form(node.items[index]);
    }
    return node.kind == Node::Kind::map ? fmt::format("{{{}}}", text) : fmt::format("[{}]", text);
}

std::string printed(std::string_view text) {
    Report report("running");
    const auto document = read_document(text, report);
    return document ? printed(*document) : std::string();
}

}  // namespace sluice::config
