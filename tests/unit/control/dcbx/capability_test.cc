#include "control/dcbx/capability.h"

#include <gtest/gtest.h>

#include "control/dcbx/protocol.h"

namespace sluice::dcbx {
namespace {

Advertisement peer(uint8_t capability) {
    return {.pfc = Offered<Pfc>{.parameter = {.enabled = 0xFF, .capability = capability}}};
}

TEST(Capability, APriorityIsInAClassOfItsOwnUnlessThePeerSaysOtherwise) {
    EXPECT_TRUE(can_pause(peer(2), 0x18));
    EXPECT_FALSE(can_pause(peer(2), 0x38));
    Advertisement says = peer(2);
    says.ets = Offered<Ets>{.parameter = {.class_of = {0, 0, 0, 1, 1, 1, 2, 2}}};
    EXPECT_TRUE(can_pause(says, 0x38)) << "one class";
    EXPECT_TRUE(can_pause(says, 0x3F)) << "two";
    EXPECT_FALSE(can_pause(says, 0xFF)) << "three";
}

TEST(Capability, NothingIsAskedOfAPeerThatDoesNotSayOrHasItOff) {
    EXPECT_TRUE(can_pause({}, 0xFF));
    EXPECT_TRUE(can_pause(peer(0), 0));
    EXPECT_FALSE(can_pause(peer(0), 0x08));
    Advertisement off = peer(1);
    off.pfc->enabled = false;
    EXPECT_TRUE(can_pause(off, 0xFF));
}

struct EveryDialect : testing::TestWithParam<Dialect> {};
INSTANTIATE_TEST_SUITE_P(Capability, EveryDialect,
                         testing::Values(Dialect::ieee, Dialect::draft0409, Dialect::cee));

// The peer follows, or is followed: the operational configuration exceeds its capability.
TEST_P(EveryDialect, MoreThanThePeerCanDoIsAMismatch) {
    for (const bool follow : {false, true}) {
        const auto protocol = make_protocol(GetParam());
        Local local{.address = {1}, .pfc = {.enabled = 0xFF}, .willing = {.pfc = follow}};
        protocol->set_local(local);
        Advertisement says = peer(2);
        says.control = Control{};
        says.pfc->willing = !follow;
        protocol->receive(PeerSays{.address = {2}, .said = says});
        const FeatureStatus row = protocol->status()[1];
        EXPECT_EQ(row.oper, FeatureValue(PrioritySet{0xFF}));
        EXPECT_EQ(row.mismatch, Mismatch::capability);
        EXPECT_EQ(row.peer_pfc->capability, 2);
        local.pfc.enabled = says.pfc->parameter.enabled = 0x03;
        protocol->set_local(local);
        protocol->receive(PeerSays{.address = {2}, .said = says});
        EXPECT_FALSE(protocol->status()[1].mismatch);
    }
}

}  // namespace
}  // namespace sluice::dcbx
