// Matchers: the algorithms of the switch by name, one file each; chosen at start.
#pragma once

#include <memory>
#include <string_view>

#include "dataplane/fabric/matching.h"
#include "dataplane/settings.h"

namespace sluice {

std::unique_ptr<Matcher> make_matcher(const FabricSettings& settings);
// As a configuration names it.
constexpr std::string_view name_of(MatchingAlgorithm algorithm) {
    return algorithm == MatchingAlgorithm::serena ? "serena" : "islip";
}
// Whether it looks at what came last and how much waits.
constexpr bool weighs(MatchingAlgorithm algorithm) {
    return algorithm == MatchingAlgorithm::serena;
}

}  // namespace sluice
