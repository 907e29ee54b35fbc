#include "dataplane/fabric/matchers.h"

#include <gtest/gtest.h>

#include "dataplane/fabric/islip.h"
#include "dataplane/fabric/serena.h"

namespace sluice {
namespace {

TEST(Matchers, AreMadeAsTheyAreNamed) {
    FabricSettings settings;
    EXPECT_EQ(name_of(settings.algorithm), "islip");
    EXPECT_NE(dynamic_cast<Islip*>(make_matcher(settings).get()), nullptr);
    settings.algorithm = MatchingAlgorithm::serena;
    EXPECT_EQ(name_of(settings.algorithm), "serena");
    EXPECT_NE(dynamic_cast<Serena*>(make_matcher(settings).get()), nullptr);
}

}  // namespace
}  // namespace sluice
