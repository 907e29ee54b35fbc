#include "tools/sim/scenario/host_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::sim {

HostNames::HostNames(const std::vector<HostSpec>& hosts, bool known) : known_(known) {
    for (std::size_t n = 0; n < hosts.size(); ++n) numbers_.emplace(hosts[n].name, n);
}

std::vector<std::size_t> HostNames::named(Fields& fields, std::string_view key) const {
    std::vector<std::size_t> found;
    for (const config::Node& word : fields.words(key)) {
        if (word.text == "all") {
            for (std::size_t n = 0; n < numbers_.size(); ++n) found.push_back(n);
        } else if (const auto host = numbers_.find(word.text); host != numbers_.end()) {
            found.push_back(host->second);
        } else if (known_) {
            fields.fault_at(
                word, key, fmt::format("no host is called {}", config::in_quotes(word.text)),
                numbers_.empty()
                    ? "there are none"
                    : fmt::format("write all, or names such as {}", numbers_.begin()->first));
        }
    }
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return found;
}

}  // namespace sluice::sim
