// A device that takes nothing, in the whole switch: what it holds up, what is done about it, and
// what goes on.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/both_ways.h"
#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::octets_of;
using test::pause_of;
using test::Rig;
using test::station;
using test::three;
using test::to;

constexpr std::size_t all = SIZE_MAX;

void pass(Rig& rig, Nanos span) {
    for (const Nanos end = rig.now + span; rig.now < end; rig.now += 1_ms) rig.poll();
}

test::FrameSpec flood(PortIndex from) {
    return {.to = broadcast, .from = station(from), .tag = test::Tag{.vlan = 0, .pcp = 3}};
}

class SwitchStall : public test::BothWays {
  protected:
    static Settings watched(WatchdogAction action, std::size_t ports = 3) {
        Settings settings = lossless_settings(ports);
        for (PortSettings& port : settings.ports) port.pfc.watchdog.action = action;
        return settings;
    }
    static bool is_stalled(const Rig& rig, PortIndex port = 1) {
        return rig.dataplane.egress(port).stall_watch().is_stalled();
    }
    static uint64_t dropped(const Rig& rig) {
        uint64_t frames = 0;
        for (PortIndex port = 0; port < rig.dataplane.port_count(); ++port) {
            const PortCounters& counters = rig.dataplane.counters(port);
            frames += counters.drops.of(Drop::egress_stalled) +
                      counters.egress_drops.of(Drop::egress_stalled);
        }
        return frames;
    }
};
INSTANTIATE_TEST_SUITE_P(Ways, SwitchStall, testing::Bool(), test::way);

TEST_P(SwitchStall, DropsWhatADeviceHoldsUpAndWhatComesForIt) {
    for (const auto action : {WatchdogAction::drop, WatchdogAction::forward}) {
        Rig rig(watched(action));
        rig.ports.room[1] = 0;
        rig.receive(0, std::string(40, 'a'), to(1));
        ASSERT_FALSE(rig.send_pause_frame(0).empty());
        pass(rig, 700_ms);
        EXPECT_TRUE(is_stalled(rig));
        EXPECT_EQ(rig.dataplane.ingress(0).pause_sender().pausing(), 0);
        EXPECT_EQ(dropped(rig), 39U);  // one tries the device
        rig.receive(0, "bbb", to(1));
        rig.receive(0, "ccc", to(2));
        rig.poll();
        EXPECT_EQ(rig.sent_now(2), "ccc");
        EXPECT_EQ(dropped(rig), 42U);

        rig.ports.room[1] = all;
        pass(rig, 700_ms);
        EXPECT_FALSE(is_stalled(rig));
        EXPECT_EQ(rig.dataplane.egress(1).stall_watch().detected(), 1U);
        rig.receive(0, "ddd", to(1));
        rig.poll();
        EXPECT_EQ(rig.sent_now(1), "addd");
        EXPECT_TRUE(rig.at_rest());
    }
}

// One frame at a time while it is unknown whether the device goes on to take frames.
TEST_P(SwitchStall, IsOverOnlyOnceTheDeviceTookForLongEnough) {
    Rig rig(watched(WatchdogAction::drop));
    rig.ports.room[1] = 0;
    rig.receive(0, std::string(40, 'a'), to(1));
    pass(rig, 700_ms);
    rig.ports.room[1] = 1;  // and then no more
    pass(rig, 100_ms);
    EXPECT_EQ(rig.sent_now(1), "a");
    for (int round = 0; round < 700; ++round) {
        rig.receive(0, "b", to(1));
        pass(rig, 1_ms);
    }
    EXPECT_TRUE(is_stalled(rig));
    EXPECT_EQ(rig.dataplane.egress(1).stall_watch().detected(), 1U);
    EXPECT_EQ(rig.dataplane.egress(1).waiting(), 1U);
    EXPECT_EQ(dropped(rig), 39U + 699U);
    rig.flush();
    EXPECT_TRUE(rig.at_rest());
}

// Control's frames that are dropped for want of credit are not frames that the device took.
TEST_P(SwitchStall, IsFoundThoughFramesOfControlAreDropped) {
    Settings settings = watched(WatchdogAction::alert);
    settings.ports[1].flow_control = FlowControl::credit;
    settings.ports[1].credit = {.buffer = 4_KiB, .quantum = 1_KiB, .refresh = 1_ms};
    Rig rig(settings);
    rig.ports.room[1] = 0;
    rig.receive(0, "aaa", to(1, 0));
    for (int time = 0; time < 700; ++time) {
        ASSERT_TRUE(rig.dataplane.send_for_control(1, octets_of(to(1))));
        pass(rig, 1_ms);
    }
    EXPECT_EQ(rig.dataplane.counters(1).egress_drops.of(Drop::no_credit), 700U);
    EXPECT_TRUE(is_stalled(rig));
    rig.flush();
    EXPECT_TRUE(rig.at_rest());
}

// Copies of floods do not wait for one output of many, and so nobody is paused for them.
TEST_P(SwitchStall, UnderAlertFloodsGoOnAndOtherFramesWait) {
    Rig rig(watched(WatchdogAction::alert, 4));
    rig.ports.room[1] = 0;
    std::size_t offered = 0;
    std::size_t late = 0;
    bool was_held = false;
    const Nanos start = rig.now;
    for (; rig.now < start + 1_s; rig.now += 1_ms) {
        if (rig.now == start + 100_ms) rig.receive(2, "u", to(1, 3, 2));
        const bool is_held = rig.dataplane.ingress(0).pause_sender().pausing() != 0;
        was_held |= is_held;
        if (!is_held) {
            rig.receive(0, "ffff", flood(0));
            offered += 4;
            if (rig.now > start + 700_ms) late += 4;
        }
        rig.poll();
    }
    EXPECT_TRUE(is_stalled(rig));
    EXPECT_TRUE(was_held);
    EXPECT_EQ(late, 4U * 299);
    EXPECT_EQ(rig.sent(2).size(), offered);
    EXPECT_EQ(rig.sent(3).size(), offered);
    EXPECT_GE(dropped(rig), late);

    rig.ports.room[1] = all;
    pass(rig, 700_ms);
    EXPECT_FALSE(is_stalled(rig));
    EXPECT_NE(rig.sent(1).find('u'), std::string::npos);
    EXPECT_EQ(rig.sent(1).size() + dropped(rig), offered + 1);
    EXPECT_EQ(rig.drops(0, Drop::headroom_overrun), 0U);
    EXPECT_TRUE(rig.at_rest());
}

// Nor where a frame for that output alone stands before them: it waits, and they do not.
TEST_P(SwitchStall, UnderAlertCopiesLeaveWhateverStandsBeforeThem) {
    Rig rig(watched(WatchdogAction::alert, 4));
    rig.ports.room[1] = 0;
    const auto is_held = [&](PortIndex port) {
        return rig.dataplane.ingress(port).pause_sender().pausing() != 0;
    };
    std::size_t others = 0;  // until the output's own queue is full
    for (; !is_held(2) && others < 2000; ++others) {
        rig.receive(2, "x", to(1, 3, 2));
        rig.poll();
    }
    rig.receive(0, "u", to(1));
    rig.poll();
    std::size_t flooded = 0;
    for (; !is_held(0) && flooded < 2000; ++flooded) {
        rig.receive(0, "f", flood(0));
        rig.poll();
    }
    pass(rig, 700_ms);
    EXPECT_TRUE(is_stalled(rig));
    EXPECT_FALSE(is_held(0));
    EXPECT_EQ(dropped(rig), flooded);
    EXPECT_EQ(rig.sent(2).size(), flooded);

    rig.ports.room[1] = all;
    pass(rig, 700_ms);
    EXPECT_EQ(std::ranges::count(rig.sent(1), 'x'), static_cast<std::ptrdiff_t>(others));
    EXPECT_EQ(std::ranges::count(rig.sent(1), 'u'), 1);
    EXPECT_EQ(rig.sent(1).size(), others + 1);
    EXPECT_TRUE(rig.at_rest());
}

// The other ports are held no longer than the detection takes.
TEST_P(SwitchStall, LosslessPairsGoOn) {
    Rig rig(watched(WatchdogAction::drop, 8));
    rig.ports.room[1] = 0;
    std::size_t offered = 0;
    std::size_t late = 0;
    const Nanos start = rig.now;
    for (; rig.now < start + 1500_ms; rig.now += 1_ms) {
        for (PortIndex from = 2; from < 8; from += 2) {
            if (rig.dataplane.ingress(from).pause_sender().pausing() != 0) continue;
            rig.receive(from, "p", to(from + 1U, 3, from));
            rig.receive(from, "x", to(1, 3, from));
            ++offered;
            if (rig.now > start + 700_ms) ++late;
        }
        rig.poll();
    }
    std::size_t delivered = 0;
    for (PortIndex port = 3; port < 8; port += 2) delivered += rig.sent(port).size();
    EXPECT_EQ(delivered, offered);
    EXPECT_EQ(late, 3U * 799U);
    EXPECT_GT(dropped(rig), late);
    for (PortIndex from = 2; from < 8; from += 2) {
        EXPECT_EQ(rig.drops(from, Drop::headroom_overrun), 0U);
    }
    rig.flush();
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchStall, APauseIsNone) {
    Rig rig(watched(WatchdogAction::drop));
    rig.receive(0, std::string(40, 'a'), to(1));
    for (const Nanos end = rig.now + 700_ms; rig.now < end; rig.now += 1_ms) {
        rig.receive(1, {octets_of(pause_of(three, 65535))});
        rig.poll();
    }
    EXPECT_EQ(rig.dataplane.egress(1).watchdog().detected(3), 1U);
    EXPECT_FALSE(is_stalled(rig));
    EXPECT_EQ(dropped(rig), 0U);
}

TEST_P(SwitchStall, ASlowShaperIsNone) {
    Settings settings = watched(WatchdogAction::drop);
    settings.ports[1].rate = BitsPerSecond(1000);  // 672 ms a frame
    Rig rig(settings);
    rig.receive(0, std::string(20, 'a'), to(1));
    pass(rig, 5_s);
    EXPECT_EQ(rig.dataplane.egress(1).stall_watch().detected(), 0U);
    EXPECT_GT(rig.sent(1).size(), 5U);
}

TEST_P(SwitchStall, OffLooksAtNothing) {
    Rig rig(watched(WatchdogAction::off));
    rig.ports.room[1] = 0;
    rig.receive(0, std::string(40, 'a'), to(1));
    pass(rig, 700_ms);
    EXPECT_FALSE(is_stalled(rig));
    rig.ports.room[1] = all;
    rig.run();
    EXPECT_EQ(rig.sent(1), std::string(40, 'a'));
}

// A switch whose outputs and inputs are of two workers, and lossy frames.
TEST_P(SwitchStall, AnotherWorkerDropsAsWell) {
    Settings settings = settings_of(4, 2);
    for (PortSettings& port : settings.ports) port.pfc.watchdog.action = WatchdogAction::drop;
    Rig rig(settings);
    rig.ports.room[1] = 0;
    for (int burst = 0; burst < 10; ++burst) {
        rig.receive(0, std::string(60, 'a'), to(1, 0));
        rig.poll();
    }
    pass(rig, 700_ms);
    EXPECT_TRUE(is_stalled(rig));
    EXPECT_EQ(dropped(rig), 599U);
    rig.receive(0, std::string(9, 'b'), to(1, 0));
    rig.poll();
    EXPECT_EQ(dropped(rig), 608U);
    EXPECT_EQ(rig.dataplane.pool().used().count(), 0);
    rig.ports.room[1] = all;
    pass(rig, 700_ms);
    EXPECT_EQ(rig.sent(1), "a");
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice
