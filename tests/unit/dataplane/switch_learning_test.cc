// Sources that the whole switch refuses, and VLANs that do not flood: each frame of a burst is
// counted under its name, and the ledger balances.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::Rig;
using test::ShortIdSpec;
using test::station;

Settings learning(std::size_t ports, uint8_t workers = 1) {
    Settings settings = test::settings_of(ports, workers);
    settings.fdb.static_entries.clear();
    return settings;
}

TEST(SwitchLearning, AFullTableRefusesEveryFrameOfAStranger) {
    for (const uint8_t workers : {uint8_t{1}, uint8_t{2}}) {
        Settings settings = learning(2, workers);
        settings.fdb.capacity = 64;
        settings.fdb.when_full = WhenFull::drop;
        Rig rig(settings);
        for (unsigned host = 0; host < 64; ++host) {
            rig.receive(1, "a", {.to = broadcast, .from = station(host)});
            rig.housekeep();
        }
        rig.receive(1, "bcd", {.to = broadcast, .from = station(200)});
        rig.receive(1, "e", {.to = broadcast, .from = station(63)});
        EXPECT_EQ(rig.drops(1, Drop::fdb_full), 3U);
        rig.run();
        EXPECT_EQ(rig.sent(0), std::string(64, 'a') + 'e');
        EXPECT_TRUE(rig.at_rest());
    }
}

TEST(SwitchLearning, AMoveThatIsRefusedIsCounted) {
    Settings settings = learning(3);
    settings.fdb.moves = Moves::refuse;
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast, .from = station(9)});
    rig.run();
    rig.receive(2, "bc", {.to = broadcast, .from = station(9)});
    EXPECT_EQ(rig.drops(2, Drop::moved_source), 2U);
    rig.dataplane.set_link(0, false);
    rig.housekeep();
    rig.receive(2, "d", {.to = broadcast, .from = station(9)});
    rig.dataplane.set_link(0, true);
    rig.run();
    EXPECT_EQ(rig.sent(1), "ad");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLearning, AStickyPortKeepsItsAddressesOverALostLink) {
    Settings settings = learning(3);
    settings.ports[0].sticky = true;
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast, .from = station(9)});
    rig.run();
    rig.dataplane.set_link(0, false);
    rig.housekeep();
    rig.dataplane.set_link(0, true);
    rig.receive(2, "b", {.to = broadcast, .from = station(9)});
    rig.receive(1, "c", {.to = station(9), .from = station(1)});
    EXPECT_EQ(rig.drops(2, Drop::moved_source), 1U);
    rig.run();
    EXPECT_EQ(rig.sent(0), "c");
    rig.dataplane.flush_fdb_port(0);
    rig.housekeep();
    rig.receive(2, "d", {.to = broadcast, .from = station(9)});
    rig.run();
    EXPECT_EQ(rig.sent(1), "ad");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLearning, AVlanMayFloodNothingThatNobodyKnows) {
    Settings settings = learning(3);
    settings.vlan.unflooded[1] = true;
    Rig rig(settings);
    rig.receive(0, "ab", {.to = station(7), .from = station(0)});
    EXPECT_EQ(rig.drops(0, Drop::unknown_unicast), 2U);
    rig.receive(0, "c", {.to = broadcast, .from = station(0)});
    rig.receive(0, "d", {.to = MacAddress{0x0100'5E00'0001}, .from = station(0)});
    rig.receive(0, "e", {.to = station(7), .from = station(0), .tag = test::Tag{.vlan = 2}});
    rig.receive(1, "f", {.to = station(0), .from = station(7)});  // it is learned all the same
    rig.receive(0, "g", {.to = station(7), .from = station(0)});
    rig.run();
    EXPECT_EQ(rig.sent(2), "cde");
    EXPECT_EQ(rig.sent(1), "cdeg");
    EXPECT_EQ(rig.sent(0), "f");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLearning, HoldsForIdsOf16BitsToo) {
    Settings settings = learning(3);
    for (PortSettings& port : settings.ports) port.format = presets[3];
    settings.fdb.moves = Moves::refuse;
    settings.vlan.unflooded[1] = true;
    Rig rig(settings);
    const auto send = [&](PortIndex port, const ShortIdSpec& spec) {
        rig.receive(port, {test::octets_of(spec)}, "x");
    };
    send(0, {.to = 9, .from = 7});
    EXPECT_EQ(rig.drops(0, Drop::unknown_unicast), 1U);
    send(1, {.to = 9, .from = 7});
    EXPECT_EQ(rig.drops(1, Drop::moved_source), 1U);
    send(2, {.to = 7, .from = 8});
    send(2, {.to = 9, .from = 8, .key_word = 0x81});  // a group
    rig.run();
    EXPECT_EQ(rig.sent(0), "xx");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLearning, AVlanOrAPortIsForgottenAtTheNextTurn) {
    Rig rig(learning(3));
    const auto speak = [&](PortIndex port, char name, MacAddress to, VlanId vlan) {
        rig.receive(port, std::string(1, name),
                    {.to = to, .from = station(port), .tag = test::Tag{.vlan = vlan}});
    };
    for (const VlanId vlan : {VlanId{1}, VlanId{2}}) {
        speak(1, 'a', broadcast, vlan);
        speak(2, 'b', broadcast, vlan);
    }
    rig.dataplane.flush_fdb_vlan(2);
    rig.housekeep();
    rig.run();
    for (PortIndex port = 0; port < 3; ++port) rig.sent_now(port);
    speak(0, 'c', station(1), 1);
    speak(0, 'd', station(1), 2);
    rig.dataplane.flush_fdb_port(1);
    rig.housekeep();
    speak(0, 'e', station(1), 1);
    speak(0, 'f', station(2), 1);
    rig.run();
    EXPECT_EQ(rig.sent(1), "cde");
    EXPECT_EQ(rig.sent(2), "def");
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
