// Sources that hosts name (IGMPv3, MLDv2): until when a port is a group's by them.
#include <gtest/gtest.h>

#include "tests/unit/dataplane/forward/multicast/listeners.h"

namespace sluice {
namespace {

using namespace literals;
using test::group_a;
using test::group_b;
using test::Listeners;

TEST(GroupSources, WhoWantsASourceListensUntilItBlocksIt) {
    Listeners listeners;
    listeners.want(1, 9);
    listeners.want(2, 9);
    EXPECT_EQ(listeners.ports(group_a), "12");
    EXPECT_EQ(listeners.memberships->sources(), 2U);
    listeners.block(1, 9);
    listeners.wait(1_s);
    EXPECT_EQ(listeners.ports(group_a), "12") << "another host behind it may say that it wants it";
    listeners.wait(2_s);
    EXPECT_EQ(listeners.ports(group_a), "2");
    listeners.block(2, 9);
    listeners.want(2, 9);
    listeners.wait(200_s);
    EXPECT_EQ(listeners.ports(group_a), "2") << "one did";
    listeners.wait(60_s);
    EXPECT_EQ(listeners.ports(group_a), "none") << "nobody reported for `ageing`";
    EXPECT_EQ(listeners.memberships->sources(), 0U);
}

TEST(GroupSources, APortListensForTheLastOfItsSources) {
    Listeners listeners;
    listeners.want(1, 9);
    listeners.want(1, 10);
    listeners.block(1, 9);
    listeners.block(1, 11);
    listeners.wait(3_s);
    EXPECT_EQ(listeners.ports(group_a), "1");
    EXPECT_EQ(listeners.memberships->sources(), 1U);
    listeners.block(1, 10);
    listeners.wait(3_s);
    EXPECT_EQ(listeners.ports(group_a), "none");
}

TEST(GroupSources, WhoWantsAllIsNotEndedByABlock) {
    Listeners listeners;
    listeners.want(1, 9);
    listeners.join(1, group_a);  // another host behind the port
    listeners.block(1, 9);
    listeners.wait(3_s);
    EXPECT_EQ(listeners.ports(group_a), "1");
    listeners.leave(1, group_a);
    listeners.wait(3_s);
    EXPECT_EQ(listeners.ports(group_a), "none");
}

// TO_IN with sources: from everybody to these.
TEST(GroupSources, WhoNarrowsKeepsWhatItNames) {
    Listeners listeners;
    listeners.join(1, group_a);
    listeners.want(1, 9);
    listeners.narrow(1);
    listeners.want(1, 10);
    listeners.wait(3_s);
    EXPECT_EQ(listeners.ports(group_a), "1");
    EXPECT_EQ(listeners.memberships->sources(), 1U);
    listeners.block(1, 10);
    listeners.wait(3_s);
    EXPECT_EQ(listeners.ports(group_a), "none");
}

TEST(GroupSources, WithFastLeaveABlockOfTheLastSourceIsAtOnce) {
    Settings settings = Listeners::ordinary();
    settings.multicast.fast_leave = true;
    Listeners listeners(settings);
    listeners.want(1, 9);
    listeners.want(1, 10);
    listeners.block(1, 9);
    EXPECT_EQ(listeners.ports(group_a), "1");
    listeners.block(1, 10);
    EXPECT_EQ(listeners.ports(group_a), "none");
    EXPECT_EQ(listeners.memberships->sources(), 0U);
}

TEST(GroupSources, BeyondItsSourcesAPortWantsAll) {
    Listeners listeners;
    for (uint64_t source = 0; source < 20; ++source) listeners.want(1, source);
    EXPECT_EQ(listeners.memberships->sources(), Memberships::most_sources);
    EXPECT_EQ(listeners.memberships->sources_full(), 4U);
    for (uint64_t source = 0; source < 20; ++source) listeners.block(1, source);
    listeners.wait(3_s);
    EXPECT_EQ(listeners.ports(group_a), "1");
    listeners.wait(260_s);
    EXPECT_EQ(listeners.ports(group_a), "none");
}

// Four source entries for each group of `capacity`: without one, a port wants all sources.
TEST(GroupSources, BeyondAllPlacesAPortWantsAllAndPlacesComeBack) {
    Settings settings = Listeners::ordinary();
    settings.multicast.capacity = 1;
    Listeners listeners(settings);
    for (int round = 0; round < 3; ++round) {
        for (PortIndex port = 0; port < 4; ++port) listeners.want(port, 9);
        EXPECT_EQ(listeners.memberships->sources(), 4U);
        listeners.want(0, 10);
        EXPECT_EQ(listeners.memberships->sources_full(), static_cast<uint64_t>(round) + 1);
        listeners.memberships->forget_ports(0b1111);
        EXPECT_EQ(listeners.memberships->sources(), 0U);
    }
}

TEST(GroupSources, SourcesGoWithWhatTheyAreOf) {
    Listeners listeners;
    listeners.want(1, 9);
    listeners.want(2, 9, group_b);
    listeners.settings.multicast.snooping.fill(0);
    listeners.configure();
    EXPECT_EQ(listeners.memberships->sources(), 0U);
    EXPECT_EQ(listeners.ports(group_a), "none");
}

}  // namespace
}  // namespace sluice
