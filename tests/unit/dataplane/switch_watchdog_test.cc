// The watchdog in the whole switch: what a storm holds up, what is done about it, and what goes on.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/both_ways.h"
#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::octets_of;
using test::pause_of;
using test::Rig;
using test::three;
using test::to;

// The peer of `port` pauses it without end, for `span`.
void storm(Rig& rig, PortIndex port, Nanos span) {
    for (const Nanos end = rig.now + span; rig.now < end; rig.now += 1_ms) {
        rig.receive(port, {octets_of(pause_of(three, 65535))});
        rig.poll();
    }
}
void stay_unpaused(Rig& rig, Nanos span) {
    for (const Nanos end = rig.now + span; rig.now < end; rig.now += 1_ms) rig.poll();
}
class SwitchWatchdog : public test::BothWays {
  protected:
    static Settings watched(WatchdogAction action, std::size_t ports = 2) {
        Settings settings = lossless_settings(ports);
        for (PortSettings& port : settings.ports) port.pfc.watchdog.action = action;
        return settings;
    }
};
INSTANTIATE_TEST_SUITE_P(Ways, SwitchWatchdog, testing::Bool(), test::way);

TEST_P(SwitchWatchdog, DropsWhatAStormHoldsAndWhatComesForIt) {
    Rig rig(watched(WatchdogAction::drop));
    rig.receive(0, std::string(40, 'a'), to(1));
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    storm(rig, 1, 700_ms);
    EXPECT_EQ(rig.dataplane.egress(1).watchdog().pfc_storms(), three);
    EXPECT_EQ(rig.dataplane.ingress(0).pause_sender().pausing(), 0);  // no PFC for it
    EXPECT_TRUE(rig.dataplane.empty());
    rig.receive(0, "bbb", to(1));
    rig.receive(0, "ccc", to(1, 0));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "ccc");
    const uint64_t dropped =
        rig.drops(0, Drop::pfc_storm) + rig.dataplane.counters(1).egress_drops.of(Drop::pfc_storm);
    EXPECT_EQ(dropped, 43U);
    EXPECT_EQ(
        rig.dataplane.ingress(0).watchdog_drops({1, 3}) + rig.dataplane.egress(1).watchdog_drops(3),
        43U);

    stay_unpaused(rig, 700_ms);
    EXPECT_EQ(rig.dataplane.egress(1).watchdog().pfc_storms(), 0);
    rig.receive(0, "ddd", to(1));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "ddd");
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchWatchdog, ForwardSendsInSpiteOfThePause) {
    Rig rig(watched(WatchdogAction::forward));
    rig.receive(0, std::string(40, 'a'), to(1));
    storm(rig, 1, 700_ms);
    EXPECT_EQ(rig.sent(1), std::string(40, 'a'));
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchWatchdog, AlertReportsAndTouchesNothing) {
    Rig rig(watched(WatchdogAction::alert));
    rig.receive(0, std::string(40, 'a'), to(1));
    storm(rig, 1, 700_ms);
    EXPECT_EQ(rig.dataplane.egress(1).watchdog().detected(3), 1U);
    EXPECT_EQ(rig.sent(1), "");
    stay_unpaused(rig, 10_ms);
    EXPECT_EQ(rig.sent(1), std::string(40, 'a'));
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchWatchdog, TimerAccuracy) {
    Settings settings = watched(WatchdogAction::drop);
    settings.ports[1].pfc.watchdog.poll = 10_ms;
    Rig rig(settings);
    stay_unpaused(rig, 50_ms);
    rig.receive(0, "a", to(1));
    const Nanos start = rig.now;
    while (rig.dataplane.egress(1).watchdog().pfc_storms() == 0) storm(rig, 1, 1_ms);
    EXPECT_GE(rig.now - start, 200_ms);
    EXPECT_LE(rig.now - start, 212_ms);
}

// A peer that sends a pause at every multiple of `period`, and a worker that comes to look after
// `away` each time, for `span`.
void pause_each(Nanos period, uint16_t quanta, Nanos away, Rig& rig, Nanos span) {
    rig.receive(0, std::string(40, 'a'), to(1));
    Nanos next = rig.now;
    for (const Nanos end = rig.now + span; rig.now < end; rig.now += away) {
        for (; next <= rig.now; next += period) {
            rig.receive(1, {octets_of(pause_of(three, quanta))});
        }
        rig.poll();
    }
}

// Each pause is over when the worker receives the next, but the peer sent that in time.
TEST_P(SwitchWatchdog, AStormIsOneThoughTheWorkerReceivesItLate) {
    Rig rig(watched(WatchdogAction::drop));
    pause_each(3_ms, 65535, 4_ms, rig, 1200_ms);  // it lasts 3.36
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.dataplane.egress(1).watchdog().detected(3), 1U);
}

// The queue is paused for 33 ms of every 83, and its worker polls only while it is paused.
TEST_P(SwitchWatchdog, AQueueThatWasResumedWhileItsWorkerWasAwayDoesNotStorm) {
    Settings settings = watched(WatchdogAction::drop);
    settings.ports[1].speed = 1_Gbps;
    settings.ports[1].pfc.watchdog.detection = settings.ports[1].pfc.watchdog.poll = 100_ms;
    Rig rig(settings);
    pause_each(83_ms, 64453, 83_ms, rig, 10_s);
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.dataplane.egress(1).watchdog().detected(3), 0U);
    EXPECT_EQ(rig.drops(0, Drop::pfc_storm), 0U);
}

// Resumed for a moment in each round, while a higher priority has the wire: only slow.
TEST_P(SwitchWatchdog, AQueueThatOthersKeepFromSendingDoesNotStorm) {
    Settings settings = watched(WatchdogAction::drop);
    settings.ports[1].rate = 1_Gbps / 100;
    Rig rig(settings);
    rig.receive(0, std::string(20, 'a'), to(1));
    for (int round = 0; round < 500; ++round) {
        rig.receive(0, std::string(8, 'z'), to(1, 7));
        rig.receive(1, {octets_of(pause_of(three, 40'000))});  // 2 ms of 4
        rig.poll();
        rig.now += 2500_us;
        rig.poll();
        rig.now += 1500_us;
    }
    EXPECT_EQ(rig.dataplane.egress(1).watchdog().detected(3), 0U);
    EXPECT_EQ(rig.drops(0, Drop::pfc_storm), 0U);
}

// Every port's peer storms at once.
TEST_P(SwitchWatchdog, AllPortStorm) {
    constexpr PortIndex ports = 4;
    Rig rig(watched(WatchdogAction::drop, ports));
    const auto exchange = [&] {
        for (PortIndex port = 0; port < ports; ++port) {
            rig.receive(port, "ab", to((port + 1U) % ports, 3, port));
        }
    };
    exchange();
    const Nanos end = rig.now + 800_ms;
    for (; rig.now < end; rig.now += 1_ms) {
        for (PortIndex port = 0; port < ports; ++port) {
            rig.receive(port, {octets_of(pause_of(three, 65535))});
        }
        exchange();
        rig.poll();
    }
    for (PortIndex port = 0; port < ports; ++port) {
        EXPECT_EQ(rig.dataplane.egress(port).watchdog().pfc_storms(), three) << int{port};
    }
    stay_unpaused(rig, 800_ms);
    exchange();
    rig.run();
    for (PortIndex port = 0; port < ports; ++port) {
        EXPECT_EQ(rig.dataplane.egress(port).watchdog().pfc_storms(), 0) << int{port};
        EXPECT_EQ(rig.sent(port), "ab");
    }
    EXPECT_TRUE(rig.at_rest());
}

// One port storms while the others lose no frame and are never paused for long.
TEST_P(SwitchWatchdog, StormDuringTraffic) {
    Rig rig(watched(WatchdogAction::drop, 3));
    std::size_t offered = 0;
    const Nanos end = rig.now + 1_s;
    for (; rig.now < end; rig.now += 1_ms) {
        rig.receive(1, {octets_of(pause_of(three, 65535))});
        const bool held = rig.dataplane.ingress(0).pause_sender().pausing() != 0;
        if (!held) {
            rig.receive(0, "ab", to(1));
            rig.receive(0, "cd", to(2));
            offered += 2;
        }
        rig.poll();
    }
    EXPECT_EQ(rig.sent(2).size(), offered);
    EXPECT_GT(offered, 1000U);  // for most of the time it was not held
    EXPECT_GT(rig.drops(0, Drop::pfc_storm), 0U);
    EXPECT_EQ(rig.drops(0, Drop::headroom_overrun), 0U);
    rig.flush();
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
