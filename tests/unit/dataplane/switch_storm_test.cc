// What a port lets in of floods, and whom it may talk to.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::Rig;
using test::station;

Settings learning(std::size_t ports) {
    Settings settings = test::settings_of(ports);
    settings.fdb.static_entries.clear();
    return settings;
}

// Returns the frames that left a port, ordered by name because inputs take turns.
std::string sent(const Rig& rig, PortIndex output) {
    std::string names = rig.sent(output);
    std::ranges::sort(names);
    return names;
}

constexpr MacAddress group{0x0100'5E00'0001};

TEST(SwitchStorm, EachKindHasItsOwnLimitAtThePortItCameBy) {
    Settings settings = learning(3);
    settings.ports[0].storm_control = {.in_frames = true, .rate = {200, 100, 300}};
    Rig rig(settings);
    rig.receive(0, "abcdef", {.to = broadcast});
    rig.receive(0, "ghijkl", {.to = station(9)});
    rig.receive(0, "mnopqr", {.to = group});
    rig.receive(1, "stuvwx", {.to = broadcast, .from = station(1)});
    rig.run();
    EXPECT_EQ(sent(rig, 2), "abgmnostuvwx");
    EXPECT_EQ(rig.drops(0, Drop::storm_broadcast), 4U);
    EXPECT_EQ(rig.drops(0, Drop::storm_unknown_unicast), 5U);
    EXPECT_EQ(rig.drops(0, Drop::storm_multicast), 3U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchStorm, AKnownStationIsNoStorm) {
    Settings settings = learning(2);
    settings.ports[0].storm_control = {.in_frames = true, .rate = {1, 1, 1}};
    Rig rig(settings);
    rig.receive(1, "a", {.to = broadcast, .from = station(1)});
    rig.receive(0, "bcdefg", {.to = station(1)});
    rig.run();
    EXPECT_EQ(sent(rig, 1), "bcdefg");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchStorm, WhoIsTooLoudIsLearnedAllTheSame) {
    Settings settings = learning(3);
    settings.ports[0].storm_control = {.in_frames = true, .rate = {1, 0, 0}};
    Rig rig(settings);
    rig.receive(0, "ab", {.to = broadcast, .from = station(7)});
    rig.receive(0, "c", {.to = broadcast, .from = station(8)});
    rig.receive(1, "d", {.to = station(8), .from = station(1)});
    rig.run();
    EXPECT_EQ(sent(rig, 0), "d");
    EXPECT_EQ(sent(rig, 2), "a");
}

TEST(SwitchIsolation, IsolatedPortsMeetOnlyTheOthers) {
    Settings settings = learning(4);
    settings.ports[0].isolated = settings.ports[1].isolated = true;
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast, .from = station(0)});
    rig.receive(1, "b", {.to = station(0), .from = station(1)});  // known, and not to be reached
    rig.receive(2, "c", {.to = station(0), .from = station(2)});
    rig.receive(3, "d", {.to = broadcast, .from = station(3)});
    rig.run();
    EXPECT_EQ(sent(rig, 0), "cd");
    EXPECT_EQ(sent(rig, 1), "d");
    EXPECT_EQ(sent(rig, 2), "ad");
    EXPECT_EQ(sent(rig, 3), "a");
    EXPECT_EQ(rig.drops(1, Drop::no_output), 1U);
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
