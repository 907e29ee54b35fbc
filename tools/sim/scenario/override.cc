#include "tools/sim/scenario/override.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace sluice::sim {

using config::Node;
using config::Position;
using config::Report;

namespace {

constexpr std::size_t deepest = 16;

// A step of a path: a key, or the index of an item of a list.
struct Step {
    std::string key;
    std::optional<std::size_t> index{};
    std::size_t ends;  // position of the step's end in the path
};

// Returns the steps of a path; nothing if the text is not a path.
std::optional<std::vector<Step>> steps_of(std::string_view path) {
    std::vector<Step> steps;
    for (std::size_t at = 0; at < path.size();) {
        if (path[at] == '[') {
            const std::size_t end = path.find(']', at);
            if (end == std::string_view::npos) return std::nullopt;
            std::size_t index = 0;
            const char* const last = path.data() + end;
            const auto read = std::from_chars(path.data() + at + 1, last, index);
            if (read.ec != std::errc() || read.ptr != last) return std::nullopt;
            at = end + 1;
            steps.push_back({{}, index, at});
        } else {
            if (!steps.empty() && path[at++] != '.') return std::nullopt;
            const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
            if (end == at) return std::nullopt;
            steps.push_back({std::string(path.substr(at, end - at)), {}, end});
            at = end;
        }
        if (steps.size() > deepest) return std::nullopt;
    }
    if (steps.empty()) return std::nullopt;
    return steps;
}

void move_to(Node& node, Position place) {
    node.at = place;
    for (Node& key : node.keys) move_to(key, place);
    for (Node& item : node.items) move_to(item, place);
}

const std::string* name_of(const Node& map) {
    for (std::size_t n = 0; n < map.keys.size(); ++n) {
        if (map.keys[n].text == "name") return &map.items[n].text;
    }
    return nullptr;
}

class Walk {
  public:
    Walk(const std::string& path, Position place, Report& report)
        : path_(path), place_(place), report_(report) {}

    // Returns the node at the path; null, after reporting a fault, if there is none.
    Node* walk(Node& document, const std::vector<Step>& steps) {
        Node* node = &document;
        std::size_t begins = 0;
        for (const Step& step : steps) {
            so_far_ = config::in_path(path_.substr(0, step.ends));
            parent_ = config::in_path(path_.substr(0, begins));
            node = step.index ? item(*node, *step.index) : child(*node, step.key);
            if (node == nullptr) return nullptr;
            begins = step.ends;
        }
        return node;
    }

  private:
    Node* item(Node& list, std::size_t index) {
        if (list.kind != Node::Kind::list) {
            return refuse(fmt::format("{} is not a list", parent()), "write a key instead of [n]");
        }
        if (index < list.items.size()) return &list.items[index];
        return refuse("is not there",
                      fmt::format("{} has {} item(s), from [0]", parent(), list.items.size()));
    }
    Node* child(Node& node, const std::string& key) {
        if (node.kind == Node::Kind::list) return named(node, key);
        if (node.kind == Node::Kind::nothing) node = {Node::Kind::map, place_, {}, {}, {}};
        if (node.kind != Node::Kind::map) {
            return refuse(fmt::format("{} holds no keys", parent()), "write it as the last one");
        }
        for (std::size_t n = 0; n < node.keys.size(); ++n) {
            const Node& written = node.keys[n];
            if (written.kind == Node::Kind::scalar && written.text == key) return &node.items[n];
        }
        node.keys.push_back({Node::Kind::scalar, place_, key, {}, {}});
        node.items.push_back({Node::Kind::nothing, place_, {}, {}, {}});
        return &node.items.back();
    }
    Node* named(Node& list, const std::string& name) {
        std::string names;
        for (Node& item : list.items) {
            const std::string* const its = name_of(item);
            if (its == nullptr) continue;
            if (*its == name) return &item;
            names += (names.empty() ? "" : ", ") + config::in_path(*its);
        }
        return refuse("is not there",
                      names.empty() ? fmt::format("write one of [0] to [{}], none has a name",
                                                  list.items.empty() ? 0 : list.items.size() - 1)
                                    : fmt::format("those of {} are {}", parent(), names));
    }
    [[nodiscard]] std::string parent() const { return parent_.empty() ? "the file" : parent_; }
    Node* refuse(std::string what, std::string remedy) {
        report_.add(place_, so_far_, std::move(what), std::move(remedy));
        return nullptr;
    }

    const std::string& path_;
    Position place_;
    Report& report_;
    std::string so_far_;
    std::string parent_;
};

}  // namespace

tl::expected<Override, std::string> parse_override(std::string_view word) {
    const std::size_t sign = word.find('=');
    if (sign == std::string_view::npos || sign == 0) {
        return tl::unexpected(fmt::format("{} is no KEY=VALUE; write one such as flows[0].rate=5G",
                                          config::in_quotes(word)));
    }
    return Override{std::string(word.substr(0, sign)), std::string(word.substr(sign + 1))};
}

void set_at(Node& document, const std::string& path, const Node& value, Report& report) {
    const auto steps = steps_of(path);
    if (!steps) {
        report.add(value.at, config::in_path(path), "is no path",
                   "write keys such as flows[0].rate or switch.defaults.pfc.xoff");
        return;
    }
    if (Node* const node = Walk(path, value.at, report).walk(document, *steps)) *node = value;
}

void apply(Node& document, const Override& change, Position place, Report& report) {
    Report of_value(report.file());
    auto value = config::read_document(change.value, of_value);
    for (config::Fault& fault : of_value.take()) {
        report.add(place, config::in_path(change.path), std::move(fault.what),
                   std::move(fault.remedy));
    }
    if (!value) return;
    move_to(*value, place);
    set_at(document, change.path, *value, report);
}

}  // namespace sluice::sim
