// Tunnels in the whole switch: what the peer of the port below pauses.
#include <gtest/gtest.h>

#include <string>

#include "dataplane/poll.h"
#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/rig.h"
#include "tests/support/rig_ports.h"

namespace sluice {
namespace {

using namespace literals;
using test::lossless_settings;
using test::octets_of;
using test::pause_of;
using test::Rig;
using test::three;
using test::to;

// Port 2 goes by the wire of port 1.
Settings over_port_1(WatchdogAction action = WatchdogAction::off) {
    Settings settings = lossless_settings(3);
    settings.ports[2].underlay = 1;
    settings.ports[1].pfc.watchdog.action = action;
    settings.ports[2].pfc.watchdog.action = WatchdogAction::drop;
    return settings;
}

void pause(Rig& rig, PortIndex port, uint16_t quanta) {
    rig.receive(port, {octets_of(pause_of(three, quanta))});
}

TEST(SwitchTunnel, IsHeldByWhoPausesThePortBelow) {
    Rig rig(over_port_1());
    pause(rig, 1, 65535);
    rig.receive(0, "aaa", to(2));
    rig.receive(0, "bb", to(2, 0));
    rig.poll();
    EXPECT_EQ(rig.sent_now(2), "bb");
    EXPECT_EQ(rig.dataplane.egress(2).gate().xoffs_received(3), 0U)
        << "its own peer pauses nothing";
    pause(rig, 1, 0);
    rig.poll();
    EXPECT_EQ(rig.sent_now(2), "aaa");
    EXPECT_TRUE(rig.at_rest());
}

// Ports whose device sends waiting frames at the end of a poll.
struct FlushedPorts : test::RigPorts {
    using RigPorts::RigPorts;
    template <class Blocked>
    void flush(PortSet, Blocked blocked) {
        seen = blocked(2);
    }
    PrioritySet seen = 0;
};

TEST(SwitchTunnel, AtTheEndOfAPollItsDeviceKnowsWhatIsHeld) {
    Rig rig(over_port_1());
    FlushedPorts ports(3);
    Poll<FlushedPorts> poll(rig.dataplane, rig.dataplane.shard(0), ports);
    poll(rig.now, 1);
    EXPECT_EQ(ports.seen, 0U);
    pause(rig, 1, 65535);
    poll(rig.now, 1);
    EXPECT_EQ(ports.seen, only_priority(3));
    pause(rig, 1, 0);
    poll(rig.now, 1);
    EXPECT_EQ(ports.seen, 0U);
}

TEST(SwitchTunnel, WhatComesInItsPlaceIsNotHeld) {
    Rig rig(over_port_1());
    pause(rig, 1, 65535);
    rig.receive(0, "aaa", to(2));
    rig.poll();
    EXPECT_EQ(rig.sent_now(2), "");
    rig.adopt(lossless_settings(3));
    rig.poll();
    EXPECT_EQ(rig.sent_now(2), "aaa");
}

TEST(SwitchTunnel, IsDownWithThePortBelow) {
    Settings settings = over_port_1();
    settings.ports[1].enabled = false;
    Rig rig(settings);
    rig.receive(2, "a", to(0));
    rig.poll();
    EXPECT_EQ(rig.sent_now(0), "");
}

TEST(SwitchTunnel, HoldsNothingOfThePortBelow) {
    Rig rig(over_port_1());
    pause(rig, 2, 65535);
    rig.receive(0, "aa", to(1));
    rig.receive(0, "bb", to(2));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "aa");
    EXPECT_EQ(rig.sent_now(2), "");
    pause(rig, 2, 0);
    rig.poll();
    EXPECT_EQ(rig.sent_now(2), "bb");
}

TEST(SwitchTunnel, IsNoStormOfItsOwnButOneOfThePortBelow) {
    for (const WatchdogAction action :
         {WatchdogAction::alert, WatchdogAction::drop, WatchdogAction::forward}) {
        Rig rig(over_port_1(action));
        rig.receive(0, std::string(20, 'a'), to(2));
        for (const Nanos end = rig.now + 700_ms; rig.now < end; rig.now += 1_ms) {
            pause(rig, 1, 65535);
            rig.poll();
        }
        EXPECT_EQ(rig.dataplane.egress(2).watchdog().detected(3), 0U);
        EXPECT_EQ(rig.dataplane.egress(1).watchdog().detected(3), 1U);
        const bool goes_on = action != WatchdogAction::alert;
        EXPECT_EQ(rig.sent(2), goes_on ? std::string(20, 'a') : "");
    }
}

}  // namespace
}  // namespace sluice
