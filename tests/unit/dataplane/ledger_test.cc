#include "dataplane/ledger.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using test::broadcast;
using test::FrameSpec;
using test::Rig;
using test::settings_of;
using test::station;

TEST(Ledger, OfANewSwitchIsAllZero) {
    const Switch dataplane(settings_of(4));
    const Ledger ledger = ledger_of(dataplane);
    EXPECT_TRUE(ledger.balanced());
    EXPECT_EQ(ledger.received + ledger.copied + ledger.generated, 0U);
    EXPECT_EQ(ledger.sent + ledger.dropped + ledger.waiting, 0U);
}

TEST(Ledger, FollowsAFrameStepByStep) {
    Rig rig(settings_of(4));
    rig.receive(0, "abc", {.to = station(1)});
    Ledger ledger = ledger_of(rig.dataplane);
    EXPECT_EQ(ledger.received, 3U);
    EXPECT_EQ(ledger.waiting, 3U);  // in the VOQ
    EXPECT_TRUE(ledger.balanced());
    rig.slot();
    ledger = ledger_of(rig.dataplane);
    EXPECT_EQ(ledger.waiting, 3U);  // at the egress
    EXPECT_TRUE(ledger.balanced());
    rig.transmit(1, 2);
    ledger = ledger_of(rig.dataplane);
    EXPECT_EQ(ledger.sent, 2U);
    EXPECT_EQ(ledger.waiting, 1U);
    EXPECT_TRUE(ledger.balanced());
}

TEST(Ledger, CountsEachCopyOfAFlood) {
    Rig rig(settings_of(4));
    rig.receive(0, "ab", {.to = broadcast});
    rig.run();
    const Ledger ledger = ledger_of(rig.dataplane);
    EXPECT_EQ(ledger.received, 2U);
    EXPECT_EQ(ledger.copied, 4U);
    EXPECT_EQ(ledger.sent, 6U);
    EXPECT_TRUE(ledger.balanced());
}

TEST(Ledger, CountsDropsOnBothSides) {
    Rig rig(settings_of(4));
    rig.receive(0, {test::hex("00")});
    rig.receive(0, "aaa", {.to = station(2)});
    rig.slot();
    rig.receive(0, "bb", {.to = station(2)});
    rig.dataplane.set_link(2, false);
    rig.run();
    const Ledger ledger = ledger_of(rig.dataplane);
    EXPECT_EQ(ledger.received, 6U);
    EXPECT_EQ(ledger.dropped, 6U);
    EXPECT_EQ(ledger.waiting, 0U);
    EXPECT_TRUE(ledger.balanced());
}

TEST(Ledger, CountsPauseFramesMadeHere) {
    Settings settings = settings_of(2);
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = 0x01;
        port.pfc.xoff = Bytes(256);
        port.pfc.xon = Bytes(0);
    }
    Rig rig(settings);
    rig.receive(0, "aaa", {.to = station(1)});
    EXPECT_FALSE(rig.send_pause_frame(0).empty());
    rig.run();
    EXPECT_FALSE(rig.send_pause_frame(0).empty());
    const Ledger ledger = ledger_of(rig.dataplane);
    EXPECT_EQ(ledger.generated, 2U);
    EXPECT_EQ(ledger.sent, 5U);
    EXPECT_TRUE(ledger.balanced());
}

// An imbalance of one port must not be made up by another's.
TEST(Ledger, IsUnbalancedWhenAnyPortIs) {
    Ledger ledger{.received = 5, .sent = 5};
    EXPECT_TRUE(ledger.balanced());
    ledger.inputs_balance = false;
    EXPECT_FALSE(ledger.balanced());
    ledger.inputs_balance = true;
    ledger.outputs_balance = false;
    EXPECT_FALSE(ledger.balanced());
    ledger = {.received = 5, .sent = 4};
    EXPECT_FALSE(ledger.balanced());
    ledger.waiting = 1;
    EXPECT_TRUE(ledger.balanced());
}

}  // namespace
}  // namespace sluice
