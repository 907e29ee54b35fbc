#include "control/dcbx/hold.h"

#include <gtest/gtest.h>

namespace sluice::dcbx {
namespace {

std::optional<Offered<Pfc>> peer(PrioritySet enabled, std::optional<PrioritySet> defences_on) {
    return Offered<Pfc>{.parameter = {.enabled = enabled}, .defences_on = defences_on};
}

TEST(Hold, LastsWhileThePeerSaysNothingOfPfc) {
    EXPECT_EQ(held_for_peer(0x18, std::nullopt), 0x18);
}

TEST(Hold, IsOfThePrioritiesThatThePeerDefends) {
    EXPECT_EQ(held_for_peer(0x18, peer(0x18, 0x10)), 0x10);
    EXPECT_EQ(held_for_peer(0x18, peer(0x18, 0x00)), 0);
    EXPECT_EQ(held_for_peer(0x08, peer(0x18, 0x10)), 0) << "this end has no PFC there";
}

TEST(Hold, IsNotOfAPeerWithoutDefencesNorOfReservedBits) {
    EXPECT_EQ(held_for_peer(0x18, peer(0x18, std::nullopt)), 0);
    EXPECT_EQ(held_for_peer(0x18, peer(0x08, 0x18)), 0x08) << "DefOn of 4 is reserved";
}

}  // namespace
}  // namespace sluice::dcbx
