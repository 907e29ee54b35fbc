// A frame that goes to several outputs: one buffer, how many hold it, and what the ledger says.
#include "dataplane/ingress_pipeline/copies.h"

#include <gtest/gtest.h>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::Rig;
using test::settings_of;
using test::station;

Settings learning(std::size_t ports) {
    Settings settings = settings_of(ports);
    settings.fdb.static_entries.clear();
    return settings;
}
// VOQs have room for four frames.
Settings of_four(Settings settings) {
    settings = test::without_bypass(settings);
    settings.buffer.size = 4_KiB;
    settings.buffer.cell = 1_KiB;
    settings.buffer.alpha_128 = 16384;
    return settings;
}

// --- of floods ---

TEST(Copies, EachOtherPortGetsTheSameBuffer) {
    Rig rig(learning(4));
    rig.receive(1, "a", {.to = broadcast, .from = station(1)});
    EXPECT_EQ(rig.buffer(0).references, 3);
    rig.run();
    EXPECT_EQ(rig.sent(0), "a");
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_EQ(rig.sent(3), "a");
    EXPECT_EQ(rig.departures(0)[0].buffer, rig.departures(3)[0].buffer);
    EXPECT_EQ(rig.dataplane.counters(1).copied.value(), 2U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(Copies, OfTwoPortsNeedsNoSharing) {
    Rig rig(learning(2));
    rig.receive(0, "ab", {.to = broadcast});
    EXPECT_EQ(rig.buffer(0).references, 1);
    EXPECT_EQ(rig.dataplane.counters(0).copied.value(), 0U);
    rig.run();
    EXPECT_EQ(rig.sent(1), "ab");
    EXPECT_TRUE(rig.at_rest());
}

// Copies without room are counted, and the buffer stays for the others. Frames take VOQs, because
// frames that bypass them need no room.
TEST(Copies, CopiesThatDoNotFitAreCountedEach) {
    Rig rig(of_four(learning(4)));
    rig.receive(0, "abc", {.to = broadcast});  // nine copies for a pool of four
    EXPECT_EQ(rig.drops(0, Drop::over_threshold), 5U);
    EXPECT_EQ(rig.dataplane.counters(0).copied.value(), 6U);
    EXPECT_EQ(rig.buffer(0).references, 3);
    EXPECT_EQ(rig.buffer(1).references, 1);
    EXPECT_EQ(rig.buffer(2).references, 0);  // freed at once
    EXPECT_TRUE(ledger_of(rig.dataplane).balanced()) << "while they wait, too";
    rig.run();
    EXPECT_EQ(rig.sent(1), "ab");
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_EQ(rig.sent(3), "a");
    EXPECT_TRUE(rig.at_rest());
}

// --- for mirrors ---

TEST(Copies, ForAMirrorAreOfTheSameBuffer) {
    for (const bool bypass : {false, true}) {
        Settings settings = settings_of(4);
        settings.fabric.bypass = bypass;
        settings.mirrors = {{.from = 0b0001, .to = 3}, {.from = 0b0110, .to = 3}};
        Rig rig(settings);
        rig.receive(0, "a", {.to = broadcast});
        rig.receive(0, "b", {.to = station(1)});
        EXPECT_EQ(rig.buffer(0).references, 3) << "once for the mirrors' port";
        EXPECT_EQ(rig.buffer(1).references, 2);
        EXPECT_EQ(rig.dataplane.counters(0).copied.value(), 3U);
        EXPECT_TRUE(ledger_of(rig.dataplane).balanced());
        rig.run();
        EXPECT_EQ(rig.sent(3), "ab");
        EXPECT_EQ(rig.departures(3)[0].buffer, rig.departures(2)[0].buffer);
        EXPECT_TRUE(rig.at_rest());
    }
}

// A frame that is queued nowhere has no copy, and its buffer is freed.
TEST(Copies, OfWhatIsQueuedNowhereItsBufferIsFreedAtOnce) {
    Settings settings = of_four(settings_of(4));
    settings.mirrors = {{.from = 0b0001, .to = 3}};
    Rig rig(settings);
    rig.receive(1, "abcd", {.to = station(2), .from = station(1)});
    rig.receive(0, "e", {.to = station(1)});
    EXPECT_EQ(rig.drops(0, Drop::over_threshold), 1U);
    EXPECT_EQ(rig.dataplane.counters(0).copied.value(), 0U);
    EXPECT_EQ(rig.buffer(4).references, 0);
    EXPECT_TRUE(ledger_of(rig.dataplane).balanced());
    rig.run();
    EXPECT_EQ(rig.sent(3), "");
    EXPECT_TRUE(rig.at_rest());
}

TEST(Copies, ACopyForAMirrorIsMeasuredForItself) {
    Settings settings = settings_of(4);
    settings.ports[2].max_frame = 300_B;
    settings.mirrors = {{.from = 0b0001, .to = 2}};
    Rig rig(settings);
    rig.receive(0, "a", {.to = station(3), .length = 301});
    rig.receive(0, "b", {.to = station(3), .length = 300});
    EXPECT_EQ(rig.buffer(0).references, 1);
    EXPECT_EQ(rig.buffer(1).references, 2);
    EXPECT_EQ(rig.dataplane.counters(0).copied.value(), 2U) << "that which is dropped as well";
    rig.run();
    EXPECT_EQ(rig.sent(3), "ab");
    EXPECT_EQ(rig.sent(2), "b");
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 1U);
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
