#include "config/edit/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "config/edit/extent.h"
#include "config/printed.h"
#include "config/yaml/fault.h"

namespace sluice::config {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view gap_octets = " \t";

Node scalar_of(std::string text) {
    return {.kind = Node::Kind::scalar, .at = {}, .text = std::move(text), .keys = {}, .items = {}};
}
Node map_of(std::string key, Node value) {
    Node map{.kind = Node::Kind::map, .at = {}, .text = {}, .keys = {}, .items = {}};
    map.keys.push_back(scalar_of(std::move(key)));
    map.items.push_back(std::move(value));
    return map;
}

// Edits one node of a text. The tree of the text gives the positions.
class Editor {
  public:
    Editor(std::string_view text, Node document, KeyPath path)
        : text_(text), extent_(text_), document_(std::move(document)), path_(std::move(path)) {}
    Editor(const Editor&) = delete;
    Editor& operator=(const Editor&) = delete;

    Edited set(Node value) {
        const std::size_t known = path_.known();
        if (known == path_.steps.size()) {
            const bool done = replace(known, value);
            return finished(done, [&](Node& root) { *at(root, known) = value; });
        }
        Node made = made_below(known, std::move(value));
        const PathStep& step = path_.steps[known];
        const Node& parent = *at(document_, known);
        if (parent.kind == Node::Kind::nothing) {
            Node whole = is_in_list(known) ? list_of(made) : map_of(step.name, made);
            const bool done = known > 0 && replace(known, whole);
            return finished(done, [&](Node& root) { *at(root, known) = whole; });
        }
        const bool done = insert(known, parent, step, made);
        return finished(done, [&](Node& root) {
            Node& grown = *at(root, known);
            if (!is_in_list(known)) grown.keys.push_back(scalar_of(step.name));
            grown.items.push_back(made);
        });
    }

    Edited unset() {
        const std::size_t known = path_.known();
        if (known < path_.steps.size()) return refuse(why_not_written(known));
        std::size_t depth = known;
        while (depth > 1 && is_alone(depth)) --depth;
        if (depth == 1 && at(document_, 0)->items.size() == 1) {
            return refuse("is the only key; a configuration needs ports");
        }
        const bool done = remove(depth);
        return finished(done, [&](Node& root) {
            Node& parent = *at(root, depth - 1);
            const auto place = static_cast<std::ptrdiff_t>(*path_.steps[depth - 1].place);
            if (parent.kind == Node::Kind::map) parent.keys.erase(parent.keys.begin() + place);
            parent.items.erase(parent.items.begin() + place);
        });
    }

  private:
    [[nodiscard]] tl::unexpected<std::string> refuse(std::string_view why) const {
        return tl::unexpected(fmt::format("{}: {}", path_.text, why));
    }

    [[nodiscard]] std::string why_not_written(std::size_t known) const {
        const bool of_a_port = path_.steps[0].key->name == "ports" && path_.steps.size() > 2;
        if (!of_a_port || known < 2)
            return "is not configured; `sluice show config` shows the configured keys";
        return "is not configured there; `sluice show config` shows the configured keys, those of "
               "ports also under defaults";
    }

    // Returns the node that the first `depth` steps of the path lead to from `root`.
    template <class Tree>
    Tree* at(Tree& root, std::size_t depth) const {
        assert(depth <= path_.known());
        Tree* node = &root;
        for (std::size_t step = 0; step < depth; ++step) {
            node = &node->items[*path_.steps[step].place];
        }
        return node;
    }
    // Returns whether the step leads to an element of a list.
    [[nodiscard]] bool is_in_list(std::size_t step) const {
        return step > 0 && path_.steps[step - 1].key->kind == Kind::list;
    }
    [[nodiscard]] bool is_in_flow(std::size_t depth) const {
        for (std::size_t above = 0; above < depth; ++above) {
            if (extent_.is_flow(*at(document_, above))) return true;
        }
        return false;
    }
    // Returns whether the node is the only entry of a map. Then the map is removed with it.
    [[nodiscard]] bool is_alone(std::size_t depth) const {
        return !is_in_list(depth - 2) && at(document_, depth - 1)->items.size() == 1;
    }

    static Node list_of(Node item) {
        Node list{.kind = Node::Kind::list, .at = {}, .text = {}, .keys = {}, .items = {}};
        list.items.push_back(std::move(item));
        return list;
    }

    // Returns the node to insert at step `first`: the path's missing nodes around `value`.
    [[nodiscard]] Node made_below(std::size_t first, Node value) const {
        for (std::size_t step = path_.steps.size(); step-- > first;) {
            const PathStep& here = path_.steps[step];
            if (here.label != nullptr && value.kind == Node::Kind::map &&
                std::ranges::find(value.keys, here.label->name, &Node::text) == value.keys.end()) {
                value.keys.insert(value.keys.begin(), scalar_of(std::string(here.label->name)));
                value.items.insert(value.items.begin(), scalar_of(here.name));
            }
            if (step == first) break;
            value =
                is_in_list(step) ? list_of(std::move(value)) : map_of(here.name, std::move(value));
        }
        return value;
    }

    void cut(std::size_t from, std::size_t to, std::string_view instead = {}) {
        assert(from <= to && to <= text_.size());
        text_.replace(from, to - from, instead);
    }
    [[nodiscard]] std::string_view line_break() const {
        const std::size_t end = text_.find('\n');
        return end != std::string::npos && end > 0 && text_[end - 1] == '\r' ? "\r\n" : "\n";
    }

    bool replace(std::size_t depth, const Node& value) {
        const Node& old = *at(document_, depth);
        const std::size_t place = *path_.steps[depth - 1].place;
        const Node& parent = *at(document_, depth - 1);
        const bool flow = is_in_flow(depth);
        if (parent.kind == Node::Kind::list) {
            const auto end = extent_.end_of(old, flow);
            if (end) cut(extent_.start_of(old), *end, in_flow_form(value));
            return end.has_value();
        }
        const Node& key = parent.keys[place];
        const auto colon = extent_.end_of_colon(key, flow);
        const auto end = extent_.end_of_entry(key, old, flow);
        if (!colon || !end) return false;
        // If the value is on the key's line, the blanks between the two stay.
        const bool beside =
            old.kind != Node::Kind::nothing &&
            extent_.line_start(extent_.start_of(old)) == extent_.line_start(extent_.start_of(key));
        if (beside) {
            cut(extent_.start_of(old), *end, in_flow_form(value));
        } else {
            replace_below(*colon, *end, " " + in_flow_form(value));
        }
        return true;
    }

    // A comment on the line of the colon stays.
    void replace_below(std::size_t colon, std::size_t end, const std::string& value) {
        const std::size_t line = extent_.line_end(colon);
        if (end > line) cut(line, end);
        cut(colon, end > line ? colon : end, value);
    }

    bool insert(std::size_t depth, const Node& parent, const PathStep& step, const Node& made) {
        const std::string entry =
            is_in_list(depth)
                ? in_flow_form(made)
                : fmt::format("{}: {}", in_flow_form(scalar_of(step.name)), in_flow_form(made));
        if (extent_.is_flow(parent)) return insert_in_flow(parent, entry);
        const auto end = extent_.end_of(parent, false);
        if (!end || parent.items.empty()) return false;
        const bool list = parent.kind == Node::Kind::list;
        const std::size_t first = extent_.start_of(list ? parent : parent.keys.front());
        if (list && text_[first] != '-') return false;
        const std::size_t indent = first - extent_.line_start(first);
        const std::size_t line = extent_.line_end(*end);
        cut(line, line,
            fmt::format("{}{}{}{}", line_break(), std::string(indent, ' '), list ? "- " : "",
                        entry));
        return true;
    }

    bool insert_in_flow(const Node& parent, const std::string& entry) {
        const std::size_t start = extent_.start_of(parent);
        if (parent.items.empty()) {
            cut(start + 1, start + 1, entry);
            return true;
        }
        const bool list = parent.kind == Node::Kind::list;
        const auto end = end_in_flow(parent, parent.items.size() - 1);
        if (!end) return false;
        const std::size_t last = extent_.start_of(list ? parent.items.back() : parent.keys.back());
        const std::size_t line = extent_.line_start(last);
        const bool own_line = extent_.line_start(start) != line && extent_.is_blank(line, last);
        const std::string before =
            own_line ? fmt::format(",{}{}", line_break(), text_.substr(line, last - line)) : ", ";
        cut(*end, *end, before + entry);
        return true;
    }

    [[nodiscard]] std::optional<std::size_t> end_in_flow(const Node& parent,
                                                         std::size_t place) const {
        return parent.kind == Node::Kind::list
                   ? extent_.end_of(parent.items[place], true)
                   : extent_.end_of_entry(parent.keys[place], parent.items[place], true);
    }

    bool remove(std::size_t depth) {
        const Node& parent = *at(document_, depth - 1);
        const std::size_t place = *path_.steps[depth - 1].place;
        if (extent_.is_flow(parent)) return remove_in_flow(parent, place);
        if (is_in_flow(depth - 1)) return false;
        if (parent.kind == Node::Kind::list) return remove_item(parent, place);
        const auto end = extent_.end_of_entry(parent.keys[place], parent.items[place], false);
        if (!end) return false;
        const std::size_t start = extent_.start_of(parent.keys[place]);
        if (parent.items.size() == 1) {  // the map is an element of a list, and the element stays
            cut(start, *end, "{}");
            return true;
        }
        const std::size_t line = extent_.line_start(start);
        if (extent_.is_blank(line, start)) {
            cut(line, extent_.next_line(*end));
            return true;
        }
        // The key follows the dash of a list item, so the next key is moved up to the dash. The
        // last key of the map has no next key.
        if (place + 1 == parent.keys.size()) return false;
        const std::size_t next = extent_.start_of(parent.keys[place + 1]);
        if (extent_.is_blank(extent_.next_line(*end), next)) {
            cut(start, next);
        } else {
            const std::size_t dash = text_.find_last_not_of(gap_octets, start - 1);
            cut(dash + 1, extent_.line_end(*end));
        }
        return true;
    }

    // Removes an item with its dash, which may be on a line above the item.
    bool remove_item(const Node& list, std::size_t place) {
        const Node& item = list.items[place];
        const auto end = extent_.end_of(item, false);
        const std::size_t first = extent_.start_of(list);
        const std::size_t column = first - extent_.line_start(first);
        if (!end) return false;
        std::size_t line = extent_.line_start(extent_.start_of(item));
        while (!begins_with_dash(line, column)) {
            if (line <= first) return false;
            line = extent_.line_start(line - 1);
        }
        cut(line, extent_.next_line(*end));
        return true;
    }
    [[nodiscard]] bool begins_with_dash(std::size_t line, std::size_t column) const {
        return line + column < text_.size() && text_[line + column] == '-' &&
               extent_.is_blank(line, line + column);
    }

    bool remove_in_flow(const Node& parent, std::size_t place) {
        const auto start_of = [&](std::size_t index) {
            const bool list = parent.kind == Node::Kind::list;
            return extent_.start_of(list ? parent.items[index] : parent.keys[index]);
        };
        const std::size_t start = start_of(place);
        const auto end = end_in_flow(parent, place);
        if (!end) return false;
        const std::size_t comma = extent_.skip_space(*end);
        if (comma < text_.size() && text_[comma] == ',') {
            const std::size_t line = extent_.line_start(start);
            const std::size_t rest = extent_.line_end(comma);
            const std::size_t next = std::min(text_.find_first_not_of(gap_octets, comma + 1), rest);
            const bool own_lines = extent_.is_blank(line, start) &&
                                   extent_.line_end(*end) == rest &&
                                   (next == rest || text_[next] == '#');
            if (own_lines) {
                cut(line, extent_.next_line(comma));
                return true;
            }
            cut(*end, extent_.line_end(*end) == rest && next < rest ? next : comma + 1);
            cut(start, *end);
            return true;
        }
        if (place == 0) {  // the only item
            cut(start, *end);
            return true;
        }
        const auto before = end_in_flow(parent, place - 1);
        if (!before) return false;
        const std::size_t separator = extent_.skip_space(*before);
        if (separator >= start || text_[separator] != ',') return false;
        const bool beside = extent_.is_blank(separator + 1, start);
        cut(beside ? separator : start, *end);
        if (!beside) cut(separator, separator + 1);
        return true;
    }

    // Parses the new text. The edit succeeds only if the tree has changed as requested.
    template <class Change>
    Edited finished(bool done, Change change) {
        Node wanted = document_;
        change(wanted);
        Report report("edited");
        const auto got = done ? read_document(text_, report) : std::nullopt;
        if (!got || !report.clean() || !same(*got, wanted)) {
            return refuse(
                "is written in a way that cannot be edited in its place; change the file, and "
                "`sluice apply` it");
        }
        return std::move(text_);
    }

    std::string text_;
    Extent extent_;
    Node document_;
    KeyPath path_;
};

template <class Act>
Edited edited(std::string_view text, std::string_view path, Act act) {
    const bool marked = text.starts_with(byte_order_mark);
    if (marked) text.remove_prefix(byte_order_mark.size());
    Report report("running");
    auto document = read_document(text, report);
    if (!document || !report.clean()) {
        const auto faults = lines_of(report.take());
        return tl::unexpected(faults.empty() ? std::string("no configuration") : faults.front());
    }
    auto found = key_path(path, *document);
    if (!found) return tl::unexpected(found.error());
    Edited result = act(Editor(text, std::move(*document), std::move(*found)));
    if (result && marked) result->insert(0, byte_order_mark);
    return result;
}

}  // namespace

bool same(const Node& one, const Node& other) {
    if (one.kind != other.kind || one.text != other.text) return false;
    return std::ranges::equal(one.keys, other.keys, same) &&
           std::ranges::equal(one.items, other.items, same);
}

Edited set_key(std::string_view text, std::string_view path, std::string_view value) {
    Report report("VALUE");
    auto wanted = read_document(value, report);
    if (!wanted || !report.clean()) {
        const auto faults = lines_of(report.take());
        return tl::unexpected(faults.empty() ? std::string("VALUE: is empty") : faults.front());
    }
    if (wanted->kind == Node::Kind::nothing) {
        return tl::unexpected(
            fmt::format("{}: no value; `sluice unset` removes a key", in_path(path)));
    }
    return edited(text, path, [&](Editor&& editor) { return editor.set(std::move(*wanted)); });
}

Edited unset_key(std::string_view text, std::string_view path) {
    return edited(text, path, [](Editor&& editor) { return editor.unset(); });
}

}  // namespace sluice::config
