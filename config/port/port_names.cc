#include "config/port/port_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "config/yaml/suggestion.h"
#include "dataplane/types/limits.h"

namespace sluice::config {

bool PortNames::are_known() const {
    const bool all_read = ports_.valid || ports_.items.size() < max_ports;
    return all_read && !ports_.items.empty() &&
           std::all_of(ports_.items.begin(), ports_.items.end(),
                       [](const Value& port) { return port["name"].valid; });
}

const Value* PortNames::find(const Value& name) const {
    if (!name.valid) return nullptr;
    const auto found = std::find_if(
        ports_.items.begin(), ports_.items.end(),
        [&](const Value& port) { return port["name"].valid && port["name"].text == name.text; });
    if (found != ports_.items.end()) return &*found;
    if (!are_known()) return nullptr;
    std::vector<std::string_view> names;
    for (const Value& port : ports_.items) names.push_back(port["name"].text);
    const auto meant = nearest(name.text, names);
    report_.add(name.at, name.path, fmt::format("no port is called {}", in_quotes(name.text)),
                meant ? fmt::format("did you mean {}", *meant) : "write the name of a port");
    return nullptr;
}

}  // namespace sluice::config
