// Matchers: the matching algorithms by name, one file each; chosen at start.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

#include "dataplane/fabric/matching.h"
#include "dataplane/types/settings.h"

namespace sluice {

// To add an algorithm, add its enumerator (settings.h), its row here, its case in matchers.cc,
// which the compiler demands, and its help (config/schema.cc). `sluice sim run FILE` then accepts
// its name; `sluice sim fabric` needs a maker in tools/sim/fabric/live.cc and a row in
// algorithms.cc of the same folder. Add its source to dataplane/meson.build, its test to
// tests/unit/dataplane, and its name to config/README.md and tests/property/draw.h.
struct MatcherName {
    MatchingAlgorithm algorithm;
    std::string_view name;  // name in a configuration
    bool reads_backlogs;    // whether the algorithm uses the last arrivals and the backlogs
};
inline constexpr auto matcher_names = std::to_array<MatcherName>({
    {MatchingAlgorithm::islip, "islip", false},
    {MatchingAlgorithm::serena, "serena", true},
});
static_assert(
    [] {
        for (std::size_t row = 0; row < matcher_names.size(); ++row) {
            if (static_cast<std::size_t>(matcher_names[row].algorithm) != row) return false;
        }
        return true;
    }(),
    "the rows are not in the order of the algorithms");

std::unique_ptr<Matcher> make_matcher(const FabricSettings& settings);

constexpr const MatcherName& row_of(MatchingAlgorithm algorithm) {
    return *std::ranges::find(matcher_names, algorithm, &MatcherName::algorithm);
}
constexpr std::string_view name_of(MatchingAlgorithm algorithm) { return row_of(algorithm).name; }
constexpr bool reads_backlogs(MatchingAlgorithm algorithm) {
    return row_of(algorithm).reads_backlogs;
}

}  // namespace sluice
