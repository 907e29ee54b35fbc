// What a host received and has not taken: watermarks, pauses, losses; at 10 Gb/s, where 1250 octets
// take 1 us.
#include "tools/sim/network/receive_buffer.h"

#include <gtest/gtest.h>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"

namespace sluice::sim {
namespace {

constexpr Priority lossless = 3;
constexpr BitsPerSecond ten_gigabits{10'000'000'000};

constexpr Picos us(int64_t number) { return Picos(number * 1'000'000); }

// A buffer that takes a frame of 1250 octets each microsecond.
ReceiveBuffer buffer() {
    return {{.rate = ten_gigabits,
             .size = Bytes(5000),
             .high = Bytes(3750),
             .low = Bytes(1250),
             .pauses = only_priority(lossless)},
            ten_gigabits};
}

bool put(ReceiveBuffer& into, Picos now, Priority priority = lossless) {
    return into.put(priority, Bytes(1250), now);
}

TEST(ReceiveBuffer, PausesAtTheHigherWatermarkAndResumesAtTheLower) {
    ReceiveBuffer held = buffer();
    EXPECT_EQ(held.next(), Schedule::never);
    for (int frame = 0; frame < 2; ++frame) EXPECT_TRUE(put(held, us(0)));
    EXPECT_FALSE(held.pause_frame(us(0)).has_value());
    EXPECT_TRUE(put(held, us(0)));
    const auto xoff = held.pause_frame(us(0));
    ASSERT_TRUE(xoff.has_value());
    EXPECT_EQ(xoff->enabled, only_priority(lossless));
    EXPECT_EQ(xoff->time[lossless], 65535);
    EXPECT_FALSE(held.pause_frame(us(0)).has_value()) << "XOFF is out already";
    held.take(us(1));
    EXPECT_FALSE(held.pause_frame(us(1)).has_value()) << "two frames are above the lower one";
    EXPECT_EQ(held.next(), us(2));
    held.take(us(2));
    const auto xon = held.pause_frame(us(2));
    ASSERT_TRUE(xon.has_value());
    EXPECT_EQ(xon->time[lossless], 0);
    EXPECT_EQ(held.next(), us(3));
    held.take(us(3));
    EXPECT_EQ(held.next(), Schedule::never);
    EXPECT_EQ(held.most(), Bytes(3750));
}

TEST(ReceiveBuffer, WhatDoesNotFitIsLost) {
    ReceiveBuffer held = buffer();
    for (int frame = 0; frame < 4; ++frame) EXPECT_TRUE(put(held, us(0)));
    EXPECT_FALSE(put(held, us(0)));
    EXPECT_TRUE(put(held, us(0), 0)) << "each priority has its own";
    held.take(us(1));
    EXPECT_TRUE(put(held, us(1)));
}

TEST(ReceiveBuffer, ARefusedFramePausesThoughTheWatermarkIsNotReached) {
    ReceiveBuffer held{{.rate = ten_gigabits,
                        .size = Bytes(2000),
                        .high = Bytes(2000),
                        .low = Bytes(0),
                        .pauses = only_priority(lossless)},
                       ten_gigabits};
    EXPECT_TRUE(put(held, us(0)));
    EXPECT_FALSE(held.pause_frame(us(0)).has_value());
    EXPECT_FALSE(put(held, us(0)));
    EXPECT_TRUE(held.pause_frame(us(0)).has_value());
}

TEST(ReceiveBuffer, ALossyPriorityPausesNobody) {
    ReceiveBuffer held = buffer();
    for (int frame = 0; frame < 4; ++frame) EXPECT_TRUE(put(held, us(0), 0));
    EXPECT_FALSE(held.pause_frame(us(0)).has_value());
}

TEST(ReceiveBuffer, APauseIsRefreshedBeforeItEnds) {
    ReceiveBuffer held{{.rate = BitsPerSecond(1'000'000),
                        .size = Bytes(5000),
                        .high = Bytes(1250),
                        .low = Bytes(0),
                        .pauses = only_priority(lossless)},
                       ten_gigabits};
    ASSERT_TRUE(put(held, us(0)));
    ASSERT_TRUE(held.pause_frame(us(0)).has_value());
    const Picos again = held.next();
    EXPECT_EQ(again, picos(pause_time(Quanta(65535), ten_gigabits) / 2));
    ASSERT_TRUE(held.pause_frame(again).has_value());
    EXPECT_EQ(held.next(), again + again);
}

// Three hosts send 30 Gb/s to one that takes 5: through its switch, which pauses them in turn.
std::string incast(const std::string& receive) {
    return R"(
run: {time: 20ms, warmup: 2ms, drain: 50ms}
cable: {speed: 10G, length: 100m}
topology: {star: {hosts: 4}}
switch: {defaults: {lossless: [3]}}
peers: [{hosts: h3, receive: )" +
           receive + R"(}]
flows: [{from: [h0, h1, h2], to: h3, priority: 3}]
)";
}

TEST(ReceiveBuffer, WithItsDefaultsAHostLosesNothingAndHasAlwaysSomethingToTake) {
    const NetworkResult result = test::run(incast("{rate: 5G}"));
    EXPECT_EQ(result.flows[0].lost, 0U);
    EXPECT_EQ(result.flows[0].waiting, 0U);
    const PortResult& port = result.ports[3];
    ASSERT_EQ(port.peer, "h3");
    EXPECT_GT(port.rx_pause, 0U);
    EXPECT_GE(port.peer_held_max, 32U * 1526U) << "it reached its watermark";
    // The throughput is the host's rate, except for the difference of its buffer at the end.
    EXPECT_NEAR(result.flows[0].throughput, 5e9, 5e9 * 0.005);
}

TEST(ReceiveBuffer, OfMulticastItPausesTwentyFourFramesSooner) {
    const auto most = [](const std::string& memory) {
        return test::run(incast("{rate: 5G, memory: " + memory + "}")).ports[3].peer_held_max;
    };
    EXPECT_EQ(most("request"), most("response"));
    EXPECT_NEAR(static_cast<double>(most("request") - most("multicast")), 24 * 1526, 4 * 1526);
}

TEST(ReceiveBuffer, WithNoRoomAboveTheWatermarkFramesAreLost) {
    const NetworkResult result =
        test::run(incast("{rate: 5G, low: 20KiB, high: 60KiB, buffer: 60KiB}"));
    EXPECT_GT(result.flows[0].lost, 0U);
    EXPECT_GT(result.ports[3].rx_pause, 0U);
    EXPECT_EQ(result.flows[0].sent, result.flows[0].received + result.flows[0].lost);
}

TEST(ReceiveBuffer, WhatMakesNoSenseIsRefused) {
    const auto refused = [](const std::string& receive, const std::string& remedy) {
        const auto read = read_scenario(incast(receive), "test.yaml");
        ASSERT_FALSE(read.has_value()) << receive;
        const std::string fault = config::to_string(read.error().front());
        EXPECT_NE(fault.find(remedy), std::string::npos) << fault;
    };
    refused("{rate: 5G, low: 9KiB, high: 8KiB}", "in rising order");
    refused("{rate: 5G, buffer: 1KiB}", "in rising order");
    refused("{rate: 5G, memory: cache}", "multicast");
    refused("{rate: 5G, low: 0, high: 64B, buffer: 1KiB}", "write 1526B or more");
    refused("{rate: 5G}, pauses: {priority: 3}", "write one of both");
}

}  // namespace
}  // namespace sluice::sim
