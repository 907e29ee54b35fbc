#include "dataplane/fabric/matchers.h"

#include "dataplane/fabric/islip.h"
#include "dataplane/fabric/serena.h"

namespace sluice {

std::unique_ptr<Matcher> make_matcher(const FabricSettings& settings) {
    if (settings.algorithm == MatchingAlgorithm::serena) {
        return std::make_unique<Serena>(settings.iterations);
    }
    return std::make_unique<Islip>(settings.iterations);
}

}  // namespace sluice
