// Frames that are longer than what their output sends.
#include <gtest/gtest.h>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::Rig;
using test::station;

// Port 1 sends up to 1000 octets, port 2 up to 300, the others 1522.
Settings uneven() {
    Settings settings = test::settings_of(4);
    settings.ports[1].max_frame = 1000_B;
    settings.ports[2].max_frame = 300_B;
    return settings;
}

TEST(SwitchMtu, AFrameIsDroppedWhereItIsTooLong) {
    Rig rig(uneven());
    rig.receive(0, "a", {.to = station(2), .length = 300});
    rig.receive(0, "b", {.to = station(2), .length = 301});
    rig.receive(0, "c", {.to = station(3), .length = 1522});
    rig.run();
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_EQ(rig.sent(3), "c");
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMtu, OfAFloodOnlyTheCopiesThatAreTooLong) {
    Rig rig(uneven());
    rig.receive(0, "a", {.to = broadcast, .length = 300});
    rig.receive(0, "b", {.to = broadcast, .length = 1000});
    rig.receive(0, "c", {.to = broadcast, .length = 1001});
    rig.run();
    EXPECT_EQ(rig.sent(1), "ab");
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_EQ(rig.sent(3), "abc");
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 3U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMtu, OfAFloodThatIsTooLongForAllEachIsCounted) {
    Settings settings = uneven();
    settings.ports[3].max_frame = 500_B;
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast, .length = 1200});
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 3U);
    EXPECT_EQ(rig.dataplane.counters(0).copied.value(), 2U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMtu, TheTagThatItGetsCounts) {
    Settings settings = test::settings_of(3);
    settings.ports[0].default_vlan = settings.ports[1].default_vlan = 10;
    settings.vlan.filtering = true;
    settings.vlan.members[10] = 0b111;
    settings.vlan.untagged[10] = 0b011;
    for (PortSettings& port : settings.ports) port.tagging.aware = true;
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast, .length = 1518});
    rig.receive(0, "b", {.to = broadcast, .length = 1519});
    rig.receive(2, "c", {.to = broadcast, .tag = test::Tag{.vlan = 10}, .length = 1522});
    rig.run();
    EXPECT_EQ(rig.sent(1), "abc");
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 1U);
    EXPECT_EQ(rig.sent(0), "c");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMtu, ACopyForAMirrorIsMeasuredForItself) {
    Settings settings = uneven();
    settings.mirrors = {{.from = 0b0001, .to = 2}};
    Rig rig(settings);
    rig.receive(0, "a", {.to = station(3), .length = 301});
    rig.receive(0, "b", {.to = station(3), .length = 300});
    rig.run();
    EXPECT_EQ(rig.sent(3), "ab");
    EXPECT_EQ(rig.sent(2), "b");
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMtu, AnAggregationDropsAtTheMemberThatWouldSend) {
    Settings settings = test::settings_of(3);
    settings.aggregations = {{.members = 0b110}};
    settings.ports[1].max_frame = settings.ports[2].max_frame = 300_B;
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast, .length = 301});
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 1U);
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
