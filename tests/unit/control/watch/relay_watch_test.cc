#include "control/watch/relay_watch.h"

#include <gtest/gtest.h>

#include "dataplane/shard.h"
#include "tests/support/pauses.h"
#include "tests/unit/control/driven_switch.h"
#include "tests/unit/control/recorded_events.h"

namespace sluice::control {
namespace {

using namespace sluice::literals;

// Ports 0 and 1 are the ends of a relay; the second is a tunnel, and reserves for 5 ms.
class RelayWatchTest : public testing::Test {
  protected:
    RelayWatchTest() {
        ports_[0].name = "gateway";
        ports_[1].name = "far";
        ports_[1].needs.relay_delay = 5_ms;
    }

    static void relayed(Settings& settings) {
        const PauseRelaySettings relay{.priorities = 0x08, .longest = 1_ms, .depth = 2, .limit = 1};
        for (PortSettings& port : settings.ports) {
            port.pfc.lossless = 0x08;
            port.pfc.relay = relay;
        }
        settings.ports[0].pfc.relay.to = 1;
        settings.ports[1].pfc.relay.to = 0;
        settings.ports[1].pfc.relay.probes = true;
    }
    // The events after a turn of the worker, as PORT KIND.
    std::string events() {
        for (const PortIndex port : {PortIndex{0}, PortIndex{1}}) switch_.send_pause_frame(port);
        std::string kinds;
        watch_.look({.dataplane = *switch_.dataplane,
                     .settings = switch_.settings,
                     .ports = ports_,
                     .now = switch_.now},
                    EventSink::Time(std::chrono::nanoseconds(switch_.now.count())));
        for (const RecordedEvents::Row& event : recorded_.take()) {
            kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", event.port, event.kind);
            text_ = event.text;
        }
        return kinds;
    }
    void receive(PortIndex port, uint16_t quanta, uint8_t relays = 0) {
        PauseFrame pause = test::pause_of(0x08, quanta);
        pause.relays = relays;
        switch_.receive_pause(port, pause);
    }
    // The tunnel's other end takes so long to answer, both ways.
    void answer_after(Nanos round_trip) {
        std::array<uint8_t, pause_frame_octets> octets;
        switch_.now += 3_s;
        ASSERT_TRUE(switch_.dataplane->shard(0).pause_frame(1, octets, switch_.now));
        switch_.dataplane->shard(0).pause_frame_sent(1, switch_.now);
        PauseFrame answer = test::pause_in(octets).value();
        ASSERT_EQ(answer.enabled, 0);
        answer.time[1] = 2;
        switch_.now += round_trip;
        switch_.receive_pause(1, answer);
    }

    DrivenSwitch switch_{2, relayed};
    std::vector<config::PortConfig> ports_{2};
    RecordedEvents recorded_;
    RelayWatch watch_{2, recorded_.sink};
    std::string text_;  // of the last
};

TEST_F(RelayWatchTest, SaysNothingOfWhatWorks) {
    receive(0, 65535);
    EXPECT_EQ(events(), "");
}

TEST_F(RelayWatchTest, ReportsThatPausesAreObeyedWhileTheOtherEndHasNoLink) {
    EXPECT_EQ(events(), "");
    switch_.dataplane->set_link(1, false);
    EXPECT_EQ(events(), "0 relay_down");
    EXPECT_EQ(text_, "far is down: pauses of its peer are obeyed here and not relayed");
    EXPECT_EQ(events(), "") << "once";
    switch_.dataplane->set_link(1, true);
    EXPECT_EQ(events(), "0 relay_up");
}

TEST_F(RelayWatchTest, ReportsThatThePeerAnswersNoMore) {
    answer_after(1_ms);
    EXPECT_EQ(events(), "");
    switch_.now += 7_s;
    EXPECT_EQ(events(), "0 relay_down");
    EXPECT_TRUE(text_.starts_with("the peer of far no longer answers"));
}

TEST_F(RelayWatchTest, ReportsADelayBeyondTheReserveUntilTheLastAnswersAreWithinIt) {
    answer_after(10_ms);
    EXPECT_EQ(events(), "");
    answer_after(10_ms + 3_us);
    EXPECT_EQ(events(), "1 relay_late");
    EXPECT_TRUE(
        text_.starts_with("a pause takes up to 5010us to its other end, but "
                          "pfc.relay_delay is 5ms"))
        << text_;
    for (std::size_t answer = 0; answer + 1 < RelayProbe::kept; ++answer) {
        answer_after(1_ms);
        EXPECT_EQ(events(), "") << "it is one of the last";
    }
    answer_after(1_ms);
    EXPECT_EQ(events(), "1 relay_in_time");
}

TEST_F(RelayWatchTest, ReportsThatAPauseIsCutAndThatItEnds) {
    receive(0, 65535);  // 3.4 ms
    EXPECT_EQ(events(), "");
    switch_.now += 1_ms;
    EXPECT_EQ(events(), "0 relay_cut");
    switch_.now += 5_ms;
    EXPECT_EQ(events(), "0 relay_restored");
}

TEST_F(RelayWatchTest, ReportsRefusedPausesAtOnceAndThenEveryTenSeconds) {
    receive(1, 65535, 2);
    EXPECT_EQ(events(), "1 relay_too_deep");
    EXPECT_TRUE(text_.starts_with("1 pause(s)")) << text_;
    receive(1, 65535, 2);
    receive(1, 65535, 2);
    EXPECT_EQ(events(), "");
    switch_.now += 10_s;
    EXPECT_EQ(events(), "1 relay_too_deep");
    EXPECT_TRUE(text_.starts_with("2 pause(s)")) << text_;
    for (int pause = 0; pause < 9; ++pause) {
        receive(0, 65535);
        receive(0, 0);
    }
    EXPECT_EQ(events(), "0 relay_limited");
    EXPECT_TRUE(text_.starts_with("1 pause(s)")) << text_;
}

TEST_F(RelayWatchTest, GivesATunnelTimeToComeUp) {
    switch_.dataplane->set_link(1, false);
    EXPECT_EQ(events(), "");
    switch_.now += RelayWatch::patience - 1_ns;
    EXPECT_EQ(events(), "");
    switch_.now += 1_ns;
    EXPECT_EQ(events(), "0 relay_down");
    switch_.dataplane->set_link(1, true);
    EXPECT_EQ(events(), "0 relay_up");
}

TEST_F(RelayWatchTest, ReportsNothingRefusedBeforeAnotherPortTookThePlace) {
    receive(1, 65535, 2);
    watch_.forget(1);
    EXPECT_EQ(events(), "");
    switch_.now += 10_s;
    receive(1, 65535, 2);
    EXPECT_EQ(events(), "1 relay_too_deep");
    EXPECT_TRUE(text_.starts_with("1 pause(s)")) << text_;
}

TEST_F(RelayWatchTest, ForgetsAPortWhosePlaceAnotherTakes) {
    EXPECT_EQ(events(), "");
    switch_.dataplane->set_link(1, false);
    EXPECT_EQ(events(), "0 relay_down");
    watch_.forget(0);
    EXPECT_EQ(events(), "");
    switch_.now += RelayWatch::patience;
    EXPECT_EQ(events(), "0 relay_down");
}

}  // namespace
}  // namespace sluice::control
