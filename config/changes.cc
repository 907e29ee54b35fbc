#include "config/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "config/schema.h"
#include "config/value_text.h"
#include "config/yaml/document.h"
#include "config/yaml/reader.h"

namespace sluice::config {

namespace {

using Flattened = std::map<std::string, std::string>;  // text of each value, by path
constexpr std::string_view port_prefix = "ports[";

std::string below(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

// Returns the element's name or required id. Without either, returns its position.
std::string label_of(const Key& element, const Value& item, std::size_t place) {
    const Key* const label = label_of_elements(element);
    if (label == nullptr) return fmt::format("{}", place);
    const Value& value = item[label->name];
    if (label->name == "name") return value.written ? value.text : fmt::format("p{}", place);
    return text_of(*label, value);
}

void flatten(const Value& value, const Key& key, const std::string& path, Flattened& flattened);

void flatten_map(const Value& map, const Key& key, const std::string& path, Flattened& flattened) {
    for (std::size_t index = 0; index < key.inside.size(); ++index) {
        const Key& inner = key.inside[index];
        // Values of `defaults` are part of each port already, and a port's name is part of the
        // path.
        if (path.empty() && inner.name == "defaults") continue;
        if (path.ends_with(']') && inner.name == "name") continue;
        flatten(map.items[index], inner, below(path, inner.name), flattened);
    }
}

void flatten_list(const Value& list, const Key& element, const std::string& path,
                  Flattened& flattened) {
    for (std::size_t place = 0; place < list.items.size(); ++place) {
        const Value& item = list.items[place];
        flatten_map(item, element, fmt::format("{}[{}]", path, label_of(element, item, place)),
                    flattened);
    }
}

void flatten_table(const Value& table, const Key& element, const std::string& path,
                   Flattened& flattened) {
    for (const Value& item : table.items) {
        flatten_map(item, element, fmt::format("{}.{}", path, item.table_key), flattened);
    }
}

void flatten(const Value& value, const Key& key, const std::string& path, Flattened& flattened) {
    if (key.kind == Kind::map) return flatten_map(value, key, path, flattened);
    if (!value.written && key.fallback.empty()) return;
    if (const Key* const element = element_map(key)) {
        return key.kind == Kind::list ? flatten_list(value, *element, path, flattened)
                                      : flatten_table(value, *element, path, flattened);
    }
    flattened[path] = text_of(key, value);
}

Flattened flattened(std::string_view text) {
    Report report("file");
    Flattened found;
    if (const auto document = read_document(text, report)) {
        flatten_map(read_values(*document, report), schema(), "", found);
    }
    return found;
}

std::optional<std::string> at(const Flattened& flattened, const std::string& path) {
    const auto found = flattened.find(path);
    return found == flattened.end() ? std::nullopt : std::optional(found->second);
}

// Returns the name of the port in `path`; nothing if the path is not that of a port's key.
std::optional<std::string> port_of(const std::string& path) {
    const std::size_t end = path.find(']');
    if (!path.starts_with(port_prefix) || end == path.npos) return std::nullopt;
    return path.substr(port_prefix.size(), end - port_prefix.size());
}

using Names = std::map<std::string, std::string>;

Names devices_of_ports(const Flattened& flattened) {
    Names devices;
    for (const auto& [path, text] : flattened) {
        const auto port = port_of(path);
        if (port && path == fmt::format("{}{}].device", port_prefix, *port)) devices[*port] = text;
    }
    return devices;
}

// Returns, for each port of `after`, the name that the port has in paths: its name in `before` if a
// port with the same device is there, else its own name.
Names names_to_go_by(const Flattened& before, const Flattened& after) {
    const Names had = devices_of_ports(before);
    const Names has = devices_of_ports(after);
    Names by;
    std::set<std::string> taken;
    // Ports with the same name are matched first, as several ports may have one device (places.cc).
    for (const bool by_name : {true, false}) {
        for (const auto& [name, device] : has) {
            if (by.contains(name)) continue;
            const auto found = std::ranges::find_if(had, [&](const auto& was) {
                return was.second == device && !taken.contains(was.first) &&
                       (!by_name || was.first == name);
            });
            if (found == had.end()) continue;
            taken.insert(found->first);
            by[name] = found->first;
        }
    }
    for (const auto& [name, device] : has) {
        if (!by.contains(name)) by[name] = taken.contains(name) ? "new " + name : name;
    }
    return by;
}

// Renames the ports of `after` to their names in `before`: a port is the same if its device is the
// same. If its name has changed, adds `name` to both, so that the change is reported.
void go_by_old_names(Flattened& before, Flattened& after) {
    const Names by = names_to_go_by(before, after);
    const Names had = devices_of_ports(before);
    Flattened renamed;
    for (const auto& [path, text] : after) {
        const auto port = port_of(path);
        if (!port || !by.contains(*port)) {
            renamed[path] = text;
            continue;
        }
        const std::string& old = by.at(*port);
        renamed[fmt::format("{}{}{}", port_prefix, old, path.substr(path.find(']')))] = text;
        if (old == *port || !had.contains(old)) continue;
        const std::string name = fmt::format("{}{}].name", port_prefix, old);
        before[name] = old;
        renamed[name] = *port;
    }
    after = std::move(renamed);
}

}  // namespace

std::vector<Change> changes(std::string_view from, std::string_view to) {
    Flattened before = flattened(from);
    Flattened after = flattened(to);
    go_by_old_names(before, after);
    std::map<std::string, Change> found;
    for (const Flattened* side : {&before, &after}) {
        for (const auto& [path, text] : *side) {
            if (at(before, path) == at(after, path)) continue;
            found[path] = {.path = path, .from = at(before, path), .to = at(after, path)};
        }
    }
    std::vector<Change> list;
    for (auto& [path, change] : found) list.push_back(std::move(change));
    return list;
}

}  // namespace sluice::config
