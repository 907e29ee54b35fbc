#include "config/edit/key_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

namespace {

constexpr std::size_t deepest = 16;

std::optional<std::size_t> place_in(const std::vector<Node>& nodes, std::string_view text) {
    const auto found = std::ranges::find(nodes, text, &Node::text);
    if (found == nodes.end()) return std::nullopt;
    return static_cast<std::size_t>(found - nodes.begin());
}

std::optional<std::size_t> number_of(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

class Walk {
  public:
    Walk(std::string_view text, const Node& document)
        : whole_(text), rest_(text), node_(&document), key_(&schema()) {}

    tl::expected<KeyPath, std::string> path() {
        while (!rest_.empty() || path_.steps.empty()) {
            if (path_.steps.size() == deepest) return refuse("has more steps than any key has");
            auto next = step();
            if (!next) return tl::unexpected(next.error());
            go_to(std::move(*next));
        }
        path_.text = in_path(whole_);
        return std::move(path_);
    }

  private:
    using Step = tl::expected<PathStep, std::string>;

    [[nodiscard]] tl::unexpected<std::string> refuse(std::string_view why) const {
        return tl::unexpected(
            fmt::format("{}: {}", whole_.empty() ? "PATH" : in_path(whole_), why));
    }

    void go_to(PathStep step) {
        const bool is_there = node_ != nullptr && step.place && *step.place < node_->items.size();
        node_ = is_there ? &node_->items[*step.place] : nullptr;
        key_ = step.key;
        path_.steps.push_back(std::move(step));
    }

    Step step() {
        const bool in_brackets = rest_.starts_with('[');
        if (in_brackets || (!path_.steps.empty() && rest_.starts_with('.'))) rest_.remove_prefix(1);
        if (key_->kind == Kind::list) return in_list(in_brackets);
        const auto word = taken(in_brackets);
        if (!word) return refuse("ends without a key; a path such as ports.p0.rate");
        if (key_->kind == Kind::map) return in_map(*word);
        if (key_->kind == Kind::table) return in_table(*word);
        return refuse(
            fmt::format("{} has no keys below it; leave .{} out", key_->name, in_path(*word)));
    }

    // Consumes the next word of the path and the character that ends it.
    std::optional<std::string_view> taken(bool in_brackets) {
        const std::size_t end =
            in_brackets ? rest_.find(']') : std::min(rest_.find_first_of(".["), rest_.size());
        if (end == std::string_view::npos || end == 0) return std::nullopt;
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(end + (in_brackets ? 1 : 0));
        return word;
    }

    Step in_map(std::string_view word) {
        const auto found = std::ranges::find(key_->inside, word, &Key::name);
        if (found == key_->inside.end()) {
            return refuse(
                fmt::format("is not a known key; {}", remedy_of_unknown(std::string(word), *key_)));
        }
        return PathStep{.key = &*found, .name = std::string(word), .place = place_of(word)};
    }

    Step in_table(std::string_view word) {
        return PathStep{
            .key = &key_->inside[1], .name = std::string(word), .place = place_of(word)};
    }

    [[nodiscard]] std::optional<std::size_t> place_of(std::string_view word) const {
        return node_ == nullptr ? std::nullopt : place_in(node_->keys, word);
    }

    Step in_list(bool in_brackets) {
        const Key& element = key_->inside[0];
        if (node_ != nullptr && node_->kind == Node::Kind::scalar) {
            return refuse(
                fmt::format("{} is one item here; set {} as a list", key_->name, key_->name));
        }
        PathStep step{.key = &element};
        if (const auto known = element_named(element, in_brackets)) {
            step.name = known->name;
            step.place = known->place;
            rest_.remove_prefix(known->name.size() + (in_brackets ? 1 : 0));
            return step;
        }
        const auto word = taken(in_brackets);
        if (!word) return refuse("ends without an element; add its name, id or index");
        step.name = *word;
        const std::size_t count = node_ == nullptr ? 0 : node_->items.size();
        if (const auto place = number_of(*word); place && *place <= count) {
            if (*place < count) step.place = place;
            return step;
        }
        step.label = label_of_elements(element);
        if (step.label == nullptr) {
            return refuse(
                fmt::format("{} has {} element(s), counted from 0; write an index up to {}",
                            key_->name, count, count));
        }
        return step;
    }

    struct Named {
        std::string name;
        std::size_t place;
    };

    // Returns the longest name of an element that the rest of the path begins with.
    [[nodiscard]] std::optional<Named> element_named(const Key& element, bool in_brackets) const {
        std::optional<Named> longest;
        const std::size_t count = node_ == nullptr ? 0 : node_->items.size();
        for (std::size_t place = 0; place < count; ++place) {
            std::string name = name_of_element(element, node_->items[place], place);
            if (!rest_.starts_with(name)) continue;
            const std::string_view next = rest_.substr(name.size());
            const bool ends = in_brackets ? next.starts_with(']')
                                          : next.empty() || next[0] == '.' || next[0] == '[';
            if (!ends || (longest && longest->name.size() >= name.size())) continue;
            longest = Named{std::move(name), place};
        }
        return longest;
    }

    std::string_view whole_;
    std::string_view rest_;
    const Node* node_;  // null: the document does not have the node
    const Key* key_;
    KeyPath path_;
};

}  // namespace

std::size_t KeyPath::known() const {
    const auto missing =
        std::ranges::find_if(steps, [](const PathStep& step) { return !step.place; });
    return static_cast<std::size_t>(missing - steps.begin());
}

std::string name_of_element(const Key& element, const Node& item, std::size_t place) {
    const Key* const label = label_of_elements(element);
    if (label == nullptr) return fmt::format("{}", place);
    if (const auto found = place_in(item.keys, label->name)) return item.items[*found].text;
    // A port without a name is called by its index: `p0`.
    return fmt::format("{}{}", label->required ? "" : "p", place);
}

tl::expected<KeyPath, std::string> key_path(std::string_view text, const Node& document) {
    return Walk(text, document).path();
}

}  // namespace sluice::config
