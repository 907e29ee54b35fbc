#include "tools/sim/scenario/host_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::sim {

HostNames::HostNames(const std::vector<HostSpec>& hosts, bool known) : known_(known) {
    for (std::size_t n = 0; n < hosts.size(); ++n) numbers_.emplace(hosts[n].name, n);
}

std::optional<std::size_t> HostNames::find(std::string_view name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
}

std::string HostNames::remedy(std::string_view instead) const {
    if (numbers_.empty()) return "there are none";
    return fmt::format("write {} such as {}", instead, numbers_.begin()->first);
}

std::vector<std::size_t> HostNames::named(Fields& fields, std::string_view key) const {
    std::vector<std::size_t> found;
    for (const config::Node& word : fields.words(key)) {
        if (word.text == "all") {
            for (std::size_t n = 0; n < numbers_.size(); ++n) found.push_back(n);
        } else if (const auto host = find(word.text)) {
            found.push_back(*host);
        } else if (known_) {
            fields.fault_at(word, key,
                            fmt::format("no host is called {}", config::in_quotes(word.text)),
                            remedy("all, or names"));
        }
    }
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return found;
}

}  // namespace sluice::sim
