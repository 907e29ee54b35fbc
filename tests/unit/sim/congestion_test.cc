// DCTCP, TIMELY and HPCC step by step against RFC 8257 and the papers' algorithms, with numbers
// that are worked out by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "tools/sim/network/congestion/dctcp.h"
#include "tools/sim/network/congestion/hpcc.h"
#include "tools/sim/network/congestion/in_flight.h"
#include "tools/sim/network/congestion/timely.h"
#include "tools/sim/network/pace.h"

namespace sluice::sim {
namespace {

constexpr Picos us{1'000'000};
constexpr Bytes frame{1522};
constexpr Bytes wire_of_frame{1542};

TEST(InFlightTest, LetsOutWhatTheWindowHoldsAndAFrameAloneInAnyCase) {
    InFlight flight;
    EXPECT_EQ(flight.room_at(Bytes(2000), Bytes(1000), us), us);
    flight.send(Bytes(600), us);
    EXPECT_EQ(flight.room_at(Bytes(400), Bytes(1000), us), us);
    EXPECT_GT(flight.room_at(Bytes(401), Bytes(1000), us), us);
}

TEST(InFlightTest, WhatAnAcknowledgementLeapsOverIsLost) {
    InFlight flight;
    for (int n = 0; n < 3; ++n) flight.send(Bytes(100), us);
    const auto first = flight.receive({.on_wire = Bytes(100), .through = Bytes(100)}, us);
    EXPECT_EQ(first.lost, Bytes(0));
    const auto third = flight.receive({.on_wire = Bytes(100), .through = Bytes(300)}, us);
    EXPECT_EQ(third.arrived, Bytes(100));
    EXPECT_EQ(third.lost, Bytes(100));
    EXPECT_EQ(flight.octets(), Bytes(0));
}

TEST(InFlightTest, WhatIsNotAcknowledgedIsLostAfterAWhile) {
    InFlight flight;
    flight.send(Bytes(1000), us);
    const Picos again = flight.room_at(Bytes(500), Bytes(1000), us * 2);
    EXPECT_EQ(again, us + InFlight::first_silence) << "nobody knows yet how long the way is";
    EXPECT_EQ(flight.send(Bytes(500), again), Bytes(1000));
    EXPECT_EQ(flight.octets(), Bytes(500));
}

TEST(InFlightTest, TheLongerTheWayTheLongerItWaits) {
    for (const auto& [round_trip, silence] :
         {std::pair{us * 100, us * 1000}, std::pair{us * 2000, us * 8000}}) {
        InFlight flight;
        for (int n = 0; n < 2; ++n) flight.send(Bytes(500), us);
        const Picos acknowledged = us + round_trip;
        flight.receive({.on_wire = Bytes(500), .through = Bytes(500), .left = us}, acknowledged);
        EXPECT_EQ(flight.room_at(Bytes(501), Bytes(1000), acknowledged), acknowledged + silence);
        EXPECT_EQ(flight.send(Bytes(400), acknowledged + silence - Picos(1)), Bytes(0));
        EXPECT_EQ(flight.send(Bytes(400), acknowledged + silence), Bytes(900));
    }
}

// A sender that sends as much as it may, and the acknowledgement of each frame in turn.
struct DctcpFlow {
    explicit DctcpFlow(const DctcpSettings& settings) : control(settings) { fill(); }

    void fill() {
        while (control.ready_at(frame, now) == now) control.sent(frame, now);
    }
    void receive(bool marked, Bytes leapt = {}) {
        through += leapt + wire_of_frame;
        control.acknowledged({.on_wire = wire_of_frame, .through = through, .marked = marked}, now);
        fill();
    }
    int64_t frames() const { return control.window().count() / wire_of_frame.count(); }

    Dctcp control;
    Bytes through;
    Picos now = us;
};

constexpr DctcpSettings ten_frames_and_no_slow_start{.initial = Bytes(15'420), .slow_start = false};

TEST(DctcpTest, SlowStartDoublesTheWindowInARoundTrip) {
    DctcpFlow flow({.initial = Bytes(15'420)});
    for (int n = 0; n < 10; ++n) flow.receive(false);
    EXPECT_EQ(flow.frames(), 20);
    for (int n = 0; n < 20; ++n) flow.receive(false);
    EXPECT_EQ(flow.frames(), 40);
}

TEST(DctcpTest, AfterwardsItGrowsByAFrameEachWindow) {
    DctcpFlow flow(ten_frames_and_no_slow_start);
    for (int n = 0; n < 11; ++n) flow.receive(false);
    EXPECT_EQ(flow.frames(), 11);
    for (int n = 0; n < 12; ++n) flow.receive(false);
    EXPECT_EQ(flow.frames(), 12);
}

TEST(DctcpTest, AWindowThatIsNotUsedDoesNotGrow) {
    Dctcp control(ten_frames_and_no_slow_start);
    for (int n = 1; n <= 50; ++n) {
        control.sent(frame, us);
        control.acknowledged({.on_wire = wire_of_frame, .through = wire_of_frame * n}, us);
    }
    EXPECT_EQ(control.window(), Bytes(15'420));
}

TEST(DctcpTest, AlphaFollowsTheShareOfMarksOnceAWindow) {
    DctcpFlow flow(ten_frames_and_no_slow_start);
    constexpr uint64_t one = uint64_t{1} << 32;
    flow.receive(false);
    EXPECT_EQ(flow.control.alpha_2_32(), one / 16 * 15) << "the first acknowledgement ends none";
    flow.receive(false);
    EXPECT_EQ(flow.control.alpha_2_32(), one / 16 * 15) << "not before ten more are there";
    for (int n = 0; n < 9; ++n) flow.receive(false);
    EXPECT_EQ(flow.control.alpha_2_32(), one / 256 * 225);
}

TEST(DctcpTest, AMarkCutsByHalfOfAlphaOnceAWindow) {
    DctcpFlow flow(ten_frames_and_no_slow_start);
    flow.receive(true);
    EXPECT_EQ(flow.control.window(), Bytes(7710)) << "alpha is 1 still: half";
    for (int n = 0; n < 9; ++n) flow.receive(true);
    EXPECT_EQ(flow.control.window(), Bytes(7710)) << "these were on their way when it was cut";
    flow.receive(true);
    EXPECT_EQ(flow.control.window(), Bytes(3855)) << "all are marked, so alpha is 1";
    for (int n = 0; n < 100; ++n) flow.receive(true);
    EXPECT_EQ(flow.frames(), 2) << "never less";
}

TEST(DctcpTest, WithFewMarksItCutsByLittle) {
    DctcpFlow flow(ten_frames_and_no_slow_start);
    for (int n = 0; n < 900; ++n) flow.receive(false);  // 34 windows and more: alpha below 0.12
    const int64_t before = flow.control.window().count();
    flow.receive(true);
    EXPECT_GT(flow.control.window().count(), before * 94 / 100);
    EXPECT_LT(flow.control.window().count(), before);
}

TEST(DctcpTest, ALossCutsByHalf) {
    DctcpFlow flow(ten_frames_and_no_slow_start);
    for (int n = 0; n < 300; ++n) flow.receive(false);
    const int64_t before = flow.control.window().count();
    flow.receive(false, wire_of_frame);
    EXPECT_EQ(flow.control.window().count(), before - before / 2);
}

TEST(DctcpTest, AWindowThatIsLostAsAWholeBeginsAgainWithAFrame) {
    DctcpFlow flow({.initial = wire_of_frame * 10});
    flow.receive(false);  // 11 frames, and all of them on their way
    flow.now = flow.now + us * 1000;
    EXPECT_EQ(flow.control.ready_at(frame, flow.now), flow.now);
    flow.through = wire_of_frame * 12;
    flow.fill();
    EXPECT_EQ(flow.control.window(), wire_of_frame) << "and no second frame with it";
    EXPECT_GT(flow.control.ready_at(frame, flow.now), flow.now);
    const auto grown = [&] {
        flow.receive(false);
        return flow.frames();
    };
    std::vector<int64_t> frames;
    for (int n = 0; n < 6; ++n) frames.push_back(grown());
    EXPECT_EQ(frames, (std::vector<int64_t>{2, 3, 4, 5, 6, 6})) << "slow start up to half of 11";
}

TEST(DctcpTest, AMarkDoesNotMakeASmallWindowLarger) {
    DctcpFlow flow({.initial = Bytes(64)});
    flow.receive(true);
    EXPECT_EQ(flow.control.window(), Bytes(64));
}

TEST(TimelyTest, FollowsTheGradientBetweenItsThresholds) {
    Timely control({.segment = Bytes(1000)}, BitsPerSecond(10'000'000'000));
    Bytes through;
    const auto receive = [&](int64_t rtt_us) {
        through += Bytes(1000);
        control.acknowledged({.through = through, .left = us}, us + us * rtt_us);
        return control.rate().count() / 1'000'000;
    };
    EXPECT_EQ(receive(100), 10'000) << "the wire's";
    EXPECT_EQ(receive(110), 6'500) << "0.875 x 10 us of 20 us, and 0.8 of that less: 0.65";
    EXPECT_EQ(receive(600), 5'633) << "above 500 us: 0.8 x 1/6 less";
    EXPECT_EQ(receive(40), 5'643) << "below 50 us";
    std::vector<int64_t> rates;
    for (int n = 0; n < 5; ++n) rates.push_back(receive(100));
    EXPECT_EQ(rates, (std::vector<int64_t>{5'653, 5'663, 5'673, 5'683, 5'733}))
        << "it fell by far more than it rises: the gradient is below 0, and the fifth is faster";
}

TEST(TimelyTest, ARoundTripBelowTheThresholdEndsARow) {
    Timely control({.segment = Bytes(1000), .high = Nanos(2'000'000)},
                   BitsPerSecond(10'000'000'000));
    Bytes through;
    std::vector<int64_t> rates;
    for (const int64_t rtt_us : {3000, 1900, 1800, 1700, 1600, 40, 60, 61}) {
        through += Bytes(1000);
        control.acknowledged({.through = through, .left = us}, us + us * rtt_us);
        rates.push_back(control.rate().count() / 1'000'000);
    }
    EXPECT_EQ(rates, (std::vector<int64_t>{7'333, 7'343, 7'353, 7'363, 7'373, 7'383, 7'393, 7'403}))
        << "the last two are not the fifth and sixth";
}

// 1250 octets take 1 us of 10 Gb/s.
TEST(TimelyTest, WhatTheFrameTakesOfTheWireIsNotOfItsRoundTrip) {
    for (const auto& [octets, rate] : {std::pair{0, 9'984}, std::pair{1250, 10'000}}) {
        Timely control({.segment = Bytes(1000)}, BitsPerSecond(10'000'000'000));
        control.acknowledged({.on_wire = Bytes(octets), .through = Bytes(1000), .left = us},
                             us * 502);
        EXPECT_EQ(control.rate().count() / 1'000'000, rate)
            << "501 us, or what is no more than 500";
    }
}

TEST(TimelyTest, MeasuresOneFrameOfASegment) {
    Timely control({.segment = Bytes(3000)}, BitsPerSecond(10'000'000'000));
    for (int n = 1; n <= 2; ++n) {
        control.acknowledged({.through = Bytes(1000) * n, .left = us}, us * 1000);
    }
    EXPECT_EQ(control.rate().count(), 10'000'000'000) << "of nothing above 500 us it knows";
    control.acknowledged({.through = Bytes(3000), .left = us}, us * 1001);
    EXPECT_EQ(control.rate().count() / 1'000'000, 6'000) << "1 - 0.8 x 500 / 1000";
}

TEST(TimelyTest, AFrameWaitsForItsShareOfTheWire) {
    Timely control({.segment = Bytes(1000)}, BitsPerSecond(10'000'000'000));
    control.sent(frame, us);
    EXPECT_EQ(control.ready_at(frame, us), us + Picos(1542 * 800));
}

// 100 Gb/s and 10 us: the wire sends 125000 octets in a round trip.
constexpr BitsPerSecond fast{100'000'000'000};
constexpr Bytes round_trip{125'000};

struct HpccFlow {
    explicit HpccFlow(const HpccSettings& settings = {.base_rtt = Nanos(10'000)})
        : control(settings, fast) {
        for (int n = 0; n < 60; ++n) control.sent(frame, us);
    }
    // Telemetry of one output: octets that it sent since the last, and octets that wait there.
    void receive(Picos since, Bytes sent, Bytes queued) {
        at += since;
        total += sent;
        through += wire_of_frame;
        FrameReport report{.on_wire = wire_of_frame, .through = through};
        report.add({fast, at, total, queued});
        control.acknowledged(report, at);
    }
    // Frames sent from now on, and their acknowledgements, belong to the next round trip.
    void next_round_trip() {
        through += wire_of_frame * 59;
        for (int n = 0; n < 60; ++n) control.sent(frame, at);
    }

    Hpcc control;
    Picos at = us;
    Bytes total{0};
    Bytes through{0};
};

TEST(HpccTest, StartsWithWhatTheWireSendsInARoundTrip) {
    const HpccFlow flow;
    EXPECT_EQ(flow.control.window(), round_trip);
    EXPECT_EQ(flow.control.rate(), fast);
}

TEST(HpccTest, AimsAtTheUseThatIsWanted) {
    HpccFlow flow;
    flow.receive(us, round_trip, Bytes(12'500));
    EXPECT_EQ(flow.control.window(), round_trip) << "the first has nothing to be compared with";
    flow.receive(us * 10, round_trip, Bytes(20'000));
    EXPECT_NEAR(static_cast<double>(flow.control.use_2_24()) / (1 << 24), 1.1, 1e-6)
        << "all of the wire, and a tenth of a round trip waits: the less of both queues";
    EXPECT_EQ(flow.control.window(), Bytes(108'034)) << "125000 x 0.95 / 1.1 and 80";
}

TEST(HpccTest, BelowItGrowsByLittleAndAfterSomeStepsAtOnce) {
    HpccFlow flow({.base_rtt = Nanos(10'000), .stages = 2});
    flow.receive(us, round_trip, Bytes(12'500));
    flow.next_round_trip();
    flow.receive(us * 10, round_trip, Bytes(12'500));
    EXPECT_EQ(flow.control.window(), Bytes(108'034));
    flow.next_round_trip();
    flow.receive(us * 5, round_trip / 4, {});  // half of the wire, for half a round trip
    EXPECT_NEAR(static_cast<double>(flow.control.use_2_24()) / (1 << 24), 0.8, 1e-6);
    EXPECT_EQ(flow.control.window(), Bytes(108'114));
    flow.next_round_trip();
    flow.receive(us * 10, round_trip / 2, {});
    EXPECT_EQ(flow.control.window(), Bytes(108'194));
    flow.next_round_trip();
    flow.receive(us * 10, round_trip * 9 / 10, {});
    EXPECT_NEAR(static_cast<double>(flow.control.window().count()), 108'194 * 0.95 / 0.9 + 80, 2)
        << "two steps have passed";
}

TEST(HpccTest, AcknowledgementsOfOneRoundTripDoNotAddUp) {
    HpccFlow flow;
    flow.receive(us, {}, {});
    flow.receive(us * 10, round_trip * 2, {});
    EXPECT_EQ(flow.control.use_2_24() >> 24, 2);
    const Bytes once = flow.control.window();
    for (int n = 0; n < 3; ++n) flow.receive(us * 10, round_trip * 2, {});
    EXPECT_EQ(flow.control.window(), once)
        << "each reacts upon the window of the round trip before";
}

TEST(HpccTest, TheMostUsedOutputCounts) {
    HpccFlow flow;
    const auto receive = [&](int64_t times) {
        FrameReport report{.on_wire = wire_of_frame, .through = wire_of_frame * times};
        report.add({fast, us * 10 * times, round_trip * times / 2, {}});
        report.add({fast, us * 10 * times, round_trip * times * 19 / 10, {}});
        report.add({fast, us * 10 * times, round_trip * times / 4, {}});
        flow.control.acknowledged(report, us * 10 * times);
    };
    receive(1);
    receive(2);
    EXPECT_NEAR(static_cast<double>(flow.control.window().count()), 125'000 / 2.0 + 80, 2);
}

TEST(HpccTest, AFrameWaitsForTheWindowAndForItsShareOfTheRate) {
    Hpcc control({.base_rtt = Nanos(10'000)}, fast);
    control.sent(frame, us);
    EXPECT_EQ(control.ready_at(frame, us), us + Picos(1542 * 80));
    for (int n = 1; n < 81; ++n) control.sent(frame, us);
    EXPECT_GT(control.ready_at(frame, us * 2), us * 2) << "81 frames are 124902 octets";
    control.acknowledged({.on_wire = wire_of_frame, .through = wire_of_frame}, us * 2);
    EXPECT_EQ(control.ready_at(frame, us * 2), us * 2);
}

}  // namespace
}  // namespace sluice::sim
