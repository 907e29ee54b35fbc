// Which ports a worker has to ask for frames. That one which is left out has none is checked by the
// rig, so by every test that uses it; here, that ports are left out at all.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/lossless.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using test::lossless_settings;
using test::Rig;
using test::station;

PortSet active(const Rig& rig) { return rig.dataplane.active(0); }

TEST(Active, NobodyOnceThereIsNothingToDo) {
    Rig rig(test::settings_of(4));
    rig.tend();
    EXPECT_EQ(active(rig), 0U);
}

TEST(Active, WhoReceivesAndWhoIsToSend) {
    Rig rig(test::settings_of(4));
    rig.tend();
    rig.receive(0, "a", {.to = station(2)});
    EXPECT_EQ(active(rig), 0b0001U);
    rig.slot();
    EXPECT_EQ(active(rig), 0b0101U);
    rig.tend();
    EXPECT_EQ(active(rig), 0b0100U);
    rig.transmit(2);
    rig.tend();
    EXPECT_EQ(active(rig), 0U);
}

TEST(Active, AnOutputOnceItsWorkerCollectedWhatAnotherMovedToIt) {
    Rig rig(test::settings_of(2, 2));
    rig.tend();
    rig.receive(0, "a", {.to = station(1)});
    ASSERT_EQ(rig.dataplane.active(1), 0U);
    ASSERT_EQ(rig.dataplane.match(), 1U);
    rig.dataplane.transfer(0);
    ASSERT_EQ(rig.dataplane.active(1), 0U);
    rig.dataplane.transfer(1);
    EXPECT_EQ(rig.dataplane.active(1), 0b10U);
    rig.transmit(1);
    rig.tend();
    EXPECT_EQ(rig.dataplane.active(1), 0U);
    EXPECT_EQ(rig.sent(1), "a");
}

TEST(Active, WhoHoldsItsPeerUntilThatIsTold) {
    Rig rig(lossless_settings());
    rig.receive(0, std::string(32, 'a'), test::to(1));
    rig.tend();
    EXPECT_EQ(active(rig) & 0b01U, 0b01U);
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.run();
    EXPECT_EQ(active(rig), 0b01U);  // the XON
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.tend();
    EXPECT_EQ(active(rig), 0U);
}

TEST(Active, EverybodyAfterNewSettings) {
    Rig rig(test::settings_of(4));
    rig.tend();
    rig.dataplane.adopt(0, rig.settings);
    EXPECT_EQ(active(rig), 0b1111U);
}

TEST(Active, OutputsThatDecideWhomToPauseAlways) {
    Settings settings = lossless_settings();
    settings.ports[1].pfc.trigger = PauseTrigger::egress;
    Rig rig(settings);
    rig.tend();
    EXPECT_EQ(active(rig), first_ports(settings.ports.size()));
}

}  // namespace
}  // namespace sluice
