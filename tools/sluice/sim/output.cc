#include "tools/sluice/sim/output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sluice::cli {

void print_json(const Json& document) { fmt::print("{}\n", document.dump(2)); }

void print_csv(const Json& rows) {
    std::vector<std::string> titles;
    for (const Json& row : rows) {
        for (const auto& item : row.items()) {
            if (item.value().is_structured()) continue;
            if (std::ranges::find(titles, item.key()) == titles.end()) titles.push_back(item.key());
        }
    }
    if (titles.empty()) return;
    fmt::print("{}\n", fmt::join(titles, ","));
    for (const Json& row : rows) {
        std::string line;
        for (const std::string& title : titles) {
            if (&title != titles.data()) line += ',';
            const auto value = row.find(title);
            if (value == row.end() || value->is_null()) continue;
            line += value->dump();  // a text in quotes, since it may hold commas
        }
        fmt::print("{}\n", line);
    }
}

}  // namespace sluice::cli
