#include "tools/sluice/ready.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

using Faults = std::vector<std::string>;

const Json balanced = {{"balanced", true}};

Json port(const char* name, const char* admin_status, const char* link) {
    return {{"name", name}, {"admin_status", admin_status}, {"link", link}};
}

TEST(Ready, EveryPortThatIsToBeUpHasALink) {
    const Json ports = {port("a", "up", "up"), port("b", "down", "down"), port("c", "up", "down")};
    EXPECT_EQ(faults_of(ports, balanced, {}), Faults{"c: the link is down"});
    EXPECT_EQ(faults_of({ports[0], ports[1]}, balanced, {}), Faults{});
}

TEST(Ready, WhereSomePortsAreNamedTheOthersMayBeDown) {
    const Json ports = {port("a", "up", "up"), port("b", "down", "down"), port("c", "up", "down")};
    EXPECT_EQ(faults_of(ports, balanced, {"a"}), Faults{});
    EXPECT_EQ(faults_of(ports, balanced, {"d", "b"}),
              (Faults{"d: there is no such port", "b: `admin_status` is down"}));
}

TEST(Ready, ALedgerThatDoesNotBalanceIsAFaultAndOneInMotionIsNone) {
    const Json ports = Json::array({port("a", "up", "up")});
    EXPECT_EQ(faults_of(ports, {{"balanced", false}}, {}).size(), 1U);
    EXPECT_EQ(faults_of(ports, {{"balanced", nullptr}}, {}), Faults{});
}

}  // namespace
}  // namespace sluice::cli
