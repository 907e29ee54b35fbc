// The model itself: a sender at one end of a cable of 10 Gb/s over 5 m, a source of pauses at the
// other. An octet takes 0.8 ns, the way 25.252 ns; a frame of 1000 octets with its overhead 816 ns.
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/octets.h"
#include "tools/sim/network/host.h"

namespace sluice::test {
namespace {

using namespace sim;

constexpr Cable cable{BitsPerSecond(10'000'000'000), 5'000};
constexpr Picos way{25'252};
constexpr Picos frame_takes{816'000};
constexpr Nanos response{10'000};

class ModelTest : public testing::Test {
  protected:
    ModelTest() {
        connect(sender_, peer_, cable);
        sender_.sender.set_response(response);
        sender_.sender.add({.to = station(2), .priority = 3, .mix = {1000, 1000}}, 0);
        peer_.keeps_arrivals = true;
    }
    // Starts of frames after `from` and before `to`.
    std::vector<Picos> begun(Picos from, Picos to) {
        std::vector<Picos> times;
        for (const Host::Arrival& arrival : peer_.arrivals) {
            if (arrival.began > from && arrival.began < to) times.push_back(arrival.began);
        }
        return times;
    }
    // When the sender obeys it.
    Picos pause(uint16_t quanta) {
        peer_.send_pause(3, quanta);
        return network_.now() + octet_time(cable.speed) * 72 + way + picos(response);
    }

    Network network_;
    Host sender_{network_, station(1), cable.speed};
    Host peer_{network_, station(2), cable.speed};
};

TEST_F(ModelTest, FramesGoBackToBackAndArriveWithTheirLastBit) {
    sender_.look();
    network_.run_until(frame_takes - octet_time(cable.speed) * 12 + way - Picos(1));
    EXPECT_EQ(peer_.sink.received(3), 0U);
    network_.run_until(network_.now() + Picos(1));
    EXPECT_EQ(peer_.sink.received(3), 1U);
    network_.run_until(network_.now() + frame_takes * 9);
    EXPECT_EQ(peer_.sink.received(3), 10U);
    EXPECT_EQ(peer_.arrivals.back().began, frame_takes * 9);
}

TEST_F(ModelTest, ARateLeavesGapsBetweenFrames) {
    sender_.set_rate(cable.speed / 4);
    network_.run_until(frame_takes * 40);
    EXPECT_EQ(peer_.sink.received(3), 10U);
}

TEST_F(ModelTest, APauseIsObeyedAResponseLaterBetweenFramesForItsQuanta) {
    sender_.look();
    network_.run_for(Nanos(50'000));
    const Picos held = pause(1000);
    const Picos goes_on = held + picos(Nanos(51'200));
    network_.run_for(Nanos(100'000));

    EXPECT_EQ(begun(held - frame_takes, held + Picos(1)).size(), 1U) << "up to the last moment";
    EXPECT_TRUE(begun(held, goes_on).empty());
    EXPECT_EQ(begun(goes_on - Picos(1), goes_on + Picos(1)).size(), 1U);
    EXPECT_EQ(peer_.sink.missing(), 0U);
}

TEST_F(ModelTest, XonIsObeyedAResponseLaterToo) {
    sender_.look();
    network_.run_for(Nanos(50'000));
    const Picos held = pause(0xFFFF);
    network_.run_for(Nanos(30'000));
    const Picos goes_on = pause(0);
    network_.run_for(Nanos(30'000));

    EXPECT_TRUE(begun(held, goes_on).empty());
    EXPECT_EQ(begun(goes_on - Picos(1), goes_on + Picos(1)).size(), 1U);
}

TEST_F(ModelTest, ARefreshedPauseLastsFromTheLastFrame) {
    sender_.look();
    const Picos held = pause(1000);
    network_.run_for(Nanos(25'000));
    const Picos goes_on = pause(1000) + picos(Nanos(51'200));
    network_.run_for(Nanos(100'000));

    EXPECT_TRUE(begun(held, goes_on).empty());
    EXPECT_EQ(begun(goes_on - Picos(1), goes_on + Picos(1)).size(), 1U);
}

TEST_F(ModelTest, AQuickerResponseDoesNotOvertakeAnEarlierPause) {
    sender_.look();
    const Picos held = pause(0xFFFF);
    sender_.sender.set_response(Nanos(0));
    pause(0);
    network_.run_for(Nanos(30'000));

    EXPECT_FALSE(begun(held - Picos(1), held + frame_takes * 2).empty()) << "the XON came last";
}

TEST_F(ModelTest, WhatIsMissingOrOutOfOrderIsSeen) {
    Sink sink;
    for (const uint64_t serial : {0U, 1U, 4U, 3U}) {
        Packet packet;
        packet.serial = serial;
        sink.take(packet);
    }
    EXPECT_EQ(sink.missing(), 2U);
    EXPECT_EQ(sink.disordered(), 1U);
}

TEST_F(ModelTest, APacketGivenBackTwiceIsSeen) {
    PacketPool pool;
    Packet& packet = pool.take();
    EXPECT_EQ(pool.out(), 1U);
    pool.give(packet);
    EXPECT_EQ(pool.out(), 0U);
    EXPECT_EQ(pool.given_twice(), 0U);
    pool.give(packet);
    EXPECT_EQ(pool.given_twice(), 1U);
}

}  // namespace
}  // namespace sluice::test
