// Where the whole switch sends frames: learning, flooding by reference, VLANs.
#include <gtest/gtest.h>

#include <string>

#include "dataplane/switch.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::FrameSpec;
using test::Rig;
using test::settings_of;
using test::station;

Settings learning(std::size_t ports) {
    Settings settings = settings_of(ports);
    settings.fdb.static_entries.clear();
    return settings;
}

TEST(SwitchFlood, AFloodOfTheWidestSwitchReachesEverybody) {
    Rig rig(learning(64));
    rig.receive(7, std::string(max_burst, 'a'), {.to = broadcast});
    EXPECT_EQ(rig.buffer(63).references, 63);
    rig.run();
    for (PortIndex port = 0; port < 64; ++port) {
        EXPECT_EQ(rig.sent(port).size(), port == 7 ? 0U : max_burst);
    }
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchFlood, StopsOnceTheAddressIsKnown) {
    Rig rig(learning(4));
    rig.receive(0, "a", {.to = station(3), .from = station(0)});
    rig.receive(3, "b", {.to = station(0), .from = station(3)});
    rig.receive(0, "c", {.to = station(3), .from = station(0)});
    rig.run();
    EXPECT_EQ(rig.sent(0), "b");
    EXPECT_EQ(rig.sent(1), "a");
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_EQ(rig.sent(3), "ac");
    EXPECT_TRUE(rig.at_rest());
}

// A burst in which every frame is from another host, and one in which hosts alternate.
TEST(SwitchFlood, LearnsEverySourceOfABurst) {
    Rig rig(learning(4));
    std::vector<test::Octets> burst;
    for (unsigned host = 0; host < 40; ++host) {
        burst.push_back(test::octets_of({.to = broadcast, .from = station(100 + host)}));
        burst.push_back(test::octets_of({.to = broadcast, .from = station(7)}));
        if (burst.size() > 60) {
            rig.receive(2, std::move(burst));
            burst.clear();
        }
    }
    rig.receive(2, std::move(burst));
    EXPECT_EQ(rig.dataplane.fdb().size(), 41U);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchFlood, FollowsAHostThatMoved) {
    Rig rig(learning(4));
    rig.receive(0, "a", {.to = broadcast, .from = station(9)});
    rig.receive(2, "b", {.to = broadcast, .from = station(9)});
    rig.run();
    rig.receive(3, "c", {.to = station(9), .from = station(3)});
    rig.run();
    EXPECT_EQ(rig.sent(2), "ac");
    EXPECT_EQ(rig.sent(0), "b");
}

TEST(SwitchFlood, NothingGoesBackWhereItCameFrom) {
    Rig rig(learning(4));
    rig.receive(0, "a", {.to = broadcast, .from = station(9)});
    rig.receive(0, "b", {.to = station(9), .from = station(8)});
    EXPECT_EQ(rig.drops(0, Drop::same_port), 1U);
    rig.run();
    EXPECT_EQ(rig.sent(1), "a");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchFlood, AgesWhatIsSilent) {
    Settings settings = learning(4);
    settings.fdb.ageing = 1_s;
    Rig rig(settings);
    rig.receive(3, "a", {.to = broadcast, .from = station(3)});
    const auto idle_until = [&](Nanos end) {
        for (; rig.now < end; rig.now += 10_ms) rig.poll();
    };
    idle_until(1900_ms);
    EXPECT_EQ(rig.dataplane.fdb().size(), 1U);
    idle_until(2500_ms);
    EXPECT_EQ(rig.dataplane.fdb().size(), 0U);
}

TEST(SwitchFlood, FlushFdbForgetsAtTheNextTurn) {
    Rig rig(learning(4));
    rig.receive(3, "a", {.to = broadcast, .from = station(3)});
    rig.dataplane.flush_fdb();
    rig.run();
    rig.receive(0, "b", {.to = station(3)});
    rig.run();
    EXPECT_EQ(rig.sent(1), "ab");
}

TEST(SwitchFlood, ALostSourceStaysWithItsStaticPort) {
    Rig rig(settings_of(4));
    rig.receive(2, "a", {.to = station(1), .from = station(3)});
    EXPECT_EQ(rig.drops(2, Drop::static_source), 1U);
    // The rest of that host's burst as well, though its source is looked up once.
    rig.receive(2, "bcd", {.to = station(1), .from = station(3)});
    EXPECT_EQ(rig.drops(2, Drop::static_source), 4U);
    rig.run();
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_TRUE(rig.at_rest());
}

// --- VLANs ---------------------------------------------------------------------------------------

TEST(SwitchVlan, FloodsToMembersAndFiltersTheRest) {
    Settings settings = learning(4);
    settings.vlan.filtering = true;
    settings.vlan.members[1] = 0b1111;
    settings.vlan.members[10] = 0b0111;
    Rig rig(settings);
    const test::Tag ten{.vlan = 10, .pcp = 0};
    rig.receive(0, "a", {.to = broadcast, .tag = ten});
    rig.receive(3, "b", {.to = broadcast, .from = station(3), .tag = ten});
    rig.run();
    EXPECT_EQ(rig.sent(1), "a");
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_EQ(rig.sent(3), "");
    EXPECT_EQ(rig.drops(3, Drop::vlan_filtered), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchVlan, UntaggedAndPriorityTaggedFramesAreInThePortsVlan) {
    Settings settings = learning(3);
    settings.ports[0].default_vlan = 20;
    settings.vlan.filtering = true;
    settings.vlan.members[20] = 0b011;
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast});
    rig.receive(0, "b", {.to = broadcast, .tag = test::Tag{.vlan = 0, .pcp = 5}});
    rig.run();
    EXPECT_EQ(rig.sent(1), "ba");  // 5 before 0
    EXPECT_EQ(rig.sent(2), "");
}

TEST(SwitchVlan, ABurstOfOneHostInTwoVlansIsTwoSources) {
    Settings settings = learning(3);
    settings.vlan.filtering = true;
    settings.vlan.members[10] = 0b011;
    Rig rig(settings);
    const test::Tag ten{.vlan = 10, .pcp = 0};
    const test::Tag twenty{.vlan = 20, .pcp = 0};
    rig.receive(0, {test::octets_of({.to = broadcast, .tag = ten}),
                    test::octets_of({.to = broadcast, .tag = twenty}),
                    test::octets_of({.to = broadcast, .tag = ten})});
    EXPECT_EQ(rig.drops(0, Drop::vlan_filtered), 1U);
    rig.run();
    EXPECT_EQ(rig.sent(1).size(), 2U);
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
