#include "dataplane/fabric/matchers.h"

#include "dataplane/fabric/islip.h"
#include "dataplane/fabric/serena.h"

namespace sluice {

std::unique_ptr<Matcher> make_matcher(const FabricSettings& settings) {
    switch (settings.algorithm) {
        case MatchingAlgorithm::islip:
            return std::make_unique<Islip>(settings.iterations);
        case MatchingAlgorithm::serena:
            return std::make_unique<Serena>(settings.iterations);
    }
    __builtin_unreachable();
}

}  // namespace sluice
