// A relay whose other end has no peer to pause for a while: what is in force as it goes and comes
// back is as old, as deep and as refused as it was. And what a port pauses for itself beside a
// relay.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;

// Ports 1 and 2 are the ends: a gateway is at the first.
class ShardRelay : public testing::Test {
  protected:
    static Settings settings_with(const PauseRelaySettings& about) {
        Settings settings = test::lossless_settings(4);
        for (PortSettings& port : settings.ports) port.pfc.lossless |= 0x10;
        for (const PortIndex port : {PortIndex{1}, PortIndex{2}}) {
            settings.ports[port].pfc.relay = about;
            settings.ports[port].pfc.relay.priorities = test::three;
            settings.ports[port].pfc.relay.to = static_cast<PortIndex>(3 - port);
        }
        return settings;
    }
    void use(const PauseRelaySettings& about) { rig_.adopt(settings_with(about)); }

    // The gateway says so.
    void receive(uint16_t quanta, uint8_t relays = 0) {
        PauseFrame pause = test::pause_of(test::three, quanta);
        pause.relays = relays;
        rig_.receive(1, {test::octets_of(pause)});
    }
    // Returns the pause sent to the tunnel's peer now; nothing enabled: none was sent.
    PauseFrame pause_sent() {
        const auto octets = rig_.send_pause_frame(2);
        return octets.empty() ? PauseFrame{} : test::pause_in(octets).value_or(PauseFrame{});
    }
    // The tunnel is down for so long.
    void flap(Nanos time = 10_us) {
        rig_.dataplane.set_link(2, false);
        rig_.send_pause_frame(1);
        EXPECT_EQ(relay().priorities(), 0);
        rig_.now += time;
        rig_.dataplane.set_link(2, true);
        rig_.send_pause_frame(1);
        EXPECT_EQ(relay().priorities(), test::three);
    }
    [[nodiscard]] const PauseRelay& relay() const {
        return rig_.dataplane.egress(1).gate().relay();
    }
    // True if the gateway gets frames.
    bool is_sent_to() {
        rig_.receive(0, "a", test::to(1));
        rig_.poll();
        return !rig_.sent_now(1).empty();
    }

    test::Rig rig_{settings_with({})};
};

TEST_F(ShardRelay, APauseCameThroughAsManyRelaysAfterwards) {
    receive(65535, 1);
    EXPECT_EQ(pause_sent().relays, 2);
    flap();
    EXPECT_EQ(pause_sent().enabled, 0) << "it knows that already";
    rig_.now += 30_us;
    EXPECT_EQ(pause_sent().relays, 2);
    EXPECT_TRUE(is_sent_to());
}

TEST_F(ShardRelay, WhatCameThroughTooManyIsNotRelayedAfterwards) {
    receive(65535, 2);
    flap();
    EXPECT_EQ(pause_sent().enabled, 0);
    EXPECT_FALSE(is_sent_to()) << "it is obeyed here, as before";
    receive(0, 2);
    rig_.poll();
    EXPECT_EQ(rig_.sent_now(1), "a");
}

TEST_F(ShardRelay, WhatCameMeanwhileIsJudgedAfterwards) {
    rig_.dataplane.set_link(2, false);
    rig_.send_pause_frame(1);
    receive(65535, 2);
    EXPECT_EQ(relay().too_deep(3), 0U) << "that is not why it is obeyed";
    rig_.dataplane.set_link(2, true);
    rig_.send_pause_frame(1);
    EXPECT_EQ(pause_sent().enabled, 0);
    EXPECT_FALSE(is_sent_to());
    receive(65535, 1);
    EXPECT_EQ(pause_sent().relays, 2) << "that is no deeper than it may be";
    rig_.poll();
    EXPECT_EQ(rig_.sent_now(1), "a");
}

TEST_F(ShardRelay, ThePauseWasRelayedForAsLongAfterwards) {
    use({.longest = 1_ms});
    receive(65535);
    EXPECT_EQ(pause_sent().enabled, test::three);
    rig_.now += 900_us;
    flap(500_us);
    rig_.now += 99_us;
    EXPECT_EQ(pause_sent().time[3], 1000);
    EXPECT_EQ(relay().cuts(3), 0U);
    rig_.now += 1_us;
    EXPECT_EQ(pause_sent().time[3], 0);
    EXPECT_EQ(relay().cuts(3), 1U);
}

// Otherwise it would be cut as soon as it could be relayed.
TEST_F(ShardRelay, WhatWasObeyedHereUsedUpNoTime) {
    use({.longest = 1_ms});
    rig_.dataplane.set_link(2, false);
    rig_.send_pause_frame(1);
    receive(65535);
    rig_.now += 2_ms;
    rig_.dataplane.set_link(2, true);
    rig_.send_pause_frame(1);
    EXPECT_EQ(pause_sent().enabled, test::three);
    rig_.now += 1_ms - 1_ns;
    EXPECT_EQ(pause_sent().time[3], 1000);
    rig_.now += 1_ns;
    EXPECT_EQ(pause_sent().time[3], 0);
}

TEST_F(ShardRelay, WhatWasCutIsCutAllTheTime) {
    use({.longest = 1_ms});
    receive(65535);
    EXPECT_EQ(pause_sent().enabled, test::three);
    rig_.now += 1_ms;
    EXPECT_EQ(pause_sent().time[3], 0);
    flap();
    EXPECT_EQ(pause_sent().enabled, 0);
    EXPECT_EQ(relay().cuts(3), 1U);
    EXPECT_TRUE(is_sent_to()) << "and nobody obeys it";
    rig_.dataplane.set_link(2, false);
    rig_.send_pause_frame(1);
    receive(65535);
    EXPECT_TRUE(is_sent_to()) << "nor while the relay is down";
    receive(0);
    rig_.now += 1_ms;
    rig_.dataplane.set_link(2, true);
    rig_.send_pause_frame(1);
    EXPECT_EQ(pause_sent().enabled, 0);
    receive(65535);
    EXPECT_EQ(pause_sent().enabled, test::three) << "the peer asked for nothing for as long";
}

TEST_F(ShardRelay, WhatBeganBeyondTheLimitIsRefusedUntilItEnds) {
    use({.limit = 1});
    for (int pause = 0; pause < 8; ++pause) {
        receive(65535);
        EXPECT_EQ(pause_sent().enabled, test::three);
        receive(0);
        EXPECT_EQ(pause_sent().time[3], 0);
    }
    receive(65535);
    receive(65535);
    flap();
    receive(65535);
    EXPECT_EQ(relay().too_many(3), 1U) << "what refreshes it begins nothing";
    EXPECT_EQ(pause_sent().enabled, 0);
    EXPECT_FALSE(is_sent_to());
    rig_.now += 2_s;  // so that another one may begin
    receive(0);
    receive(65535);
    EXPECT_EQ(pause_sent().enabled, test::three);
}

TEST_F(ShardRelay, WhatCannotBePassedOnTakesNoneOfTheLimit) {
    use({.depth = 1, .limit = 1});
    const auto begin_20 = [&](uint8_t relays) {
        for (int pause = 0; pause < 20; ++pause) {
            receive(65535, relays);
            receive(0);
        }
    };
    rig_.dataplane.set_link(2, false);
    rig_.send_pause_frame(1);
    begin_20(0);
    rig_.dataplane.set_link(2, true);
    rig_.send_pause_frame(1);
    begin_20(1);
    EXPECT_EQ(relay().too_deep(3), 20U);
    EXPECT_EQ(relay().too_many(3), 0U);
    receive(65535);
    EXPECT_EQ(pause_sent().enabled, test::three);
}

// 65535 quanta are 3,355,392 ns, of which 2 ms were relayed.
TEST_F(ShardRelay, OnlyTheTimeThatAPauseIsObeyedForIsCounted) {
    receive(65535);
    rig_.now += 2_ms;
    rig_.dataplane.set_link(2, false);
    rig_.send_pause_frame(1);
    rig_.now += 2_ms;
    rig_.housekeep();
    EXPECT_FALSE(rig_.dataplane.egress(1).gate().history(3).lasts(rig_.now));
    EXPECT_EQ(rig_.dataplane.egress(1).gate().history(3).total(rig_.now), 1'355'392_ns);
}

// A gateway asks for priority 3 through a relay, and port 2 has priority 4 full itself.
TEST_F(ShardRelay, WhatAPortPausesForItselfCameThroughNone) {
    rig_.receive(3, {test::octets_of(test::pause_of(0x10, 65535))});
    rig_.receive(2, std::string(40, 'x'), test::to(3, 4, 2));
    receive(65535, 1);
    const PauseFrame own = pause_sent();
    EXPECT_EQ(own.enabled, 0x10);
    EXPECT_EQ(own.relays, 0);
    const PauseFrame relayed = pause_sent();
    EXPECT_EQ(relayed.enabled, test::three);
    EXPECT_EQ(relayed.relays, 2);
    EXPECT_EQ(pause_sent().enabled, 0);
}

}  // namespace
}  // namespace sluice
