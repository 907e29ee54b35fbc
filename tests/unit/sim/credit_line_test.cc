// Credit of one direction of a cable, at 10 Gb/s over 198 m: a delay of 1 us.
#include "tools/sim/network/credit_line.h"

#include <gtest/gtest.h>

namespace sluice::sim {
namespace {

class Looker : public Actor {
  public:
    void look() override { ++looks; }
    int looks = 0;
};

class CreditLineTest : public testing::Test {
  protected:
    static constexpr Cable cable{BitsPerSecond(10'000'000'000), 198'000};

    static Packet packet_of(uint16_t length) {
        Packet packet;
        packet.length = length;
        return packet;
    }
    bool covers(int64_t length) { return line.covers(3, Bytes(length)); }

    Network network;
    Looker sender;
    CreditLine line{network, sender, cable, {only_priority(3), Bytes(1024), Bytes(256)}};
};

TEST_F(CreditLineTest, AFrameCostsItsCellsUntilItHasLeft) {
    Packet first = packet_of(500);
    Packet second = packet_of(257);
    line.spend(first, 3);
    EXPECT_EQ(line.credit(3), Bytes(512));
    EXPECT_TRUE(covers(512));
    line.spend(second, 3);
    EXPECT_FALSE(covers(60));
    line.give_back(first, picos(Nanos(2'000)));
    network.run_until(picos(Nanos(2'999)));
    EXPECT_EQ(line.credit(3), Bytes(0));
    EXPECT_EQ(sender.looks, 0);
    network.run_until(picos(Nanos(3'000)));
    EXPECT_EQ(line.credit(3), Bytes(512));
    EXPECT_EQ(sender.looks, 1);
    EXPECT_EQ(line.returned(), Bytes(512));
}

TEST_F(CreditLineTest, CreditGivenBackForLaterComesBehindWhatIsGivenForSooner) {
    Packet late = packet_of(256);
    Packet soon = packet_of(512);
    line.spend(late, 3);
    line.spend(soon, 3);
    line.give_back(late, picos(Nanos(5'000)));
    line.give_back(soon, picos(Nanos(1'000)));
    network.run_until(picos(Nanos(2'000)));
    EXPECT_EQ(line.credit(3), Bytes(768));
    network.run_until(picos(Nanos(6'000)));
    EXPECT_EQ(line.credit(3), Bytes(1024));
}

TEST_F(CreditLineTest, StalledIsFromTheFrameThatFindsTooLittleUntilThereIsEnough) {
    Packet packet = packet_of(1000);
    line.spend(packet, 3);
    network.run_until(picos(Nanos(100)));
    EXPECT_FALSE(covers(100));
    line.give_back(packet, picos(Nanos(200)));
    EXPECT_FALSE(covers(100));
    network.run_until(picos(Nanos(700)));
    EXPECT_EQ(nanos(line.stalled()), Nanos(600));
    network.run_until(picos(Nanos(5'000)));
    EXPECT_EQ(nanos(line.stalled()), Nanos(1'100));
}

TEST_F(CreditLineTest, ThePrioritiesOfOthersNeedNone) {
    Packet packet = packet_of(1000);
    EXPECT_TRUE(line.covers(4, Bytes(9000)));
    line.spend(packet, 4);
    line.give_back(packet, Picos(0));
    network.run_until(picos(Nanos(5'000)));
    EXPECT_EQ(line.credit(3), Bytes(1024));
    EXPECT_EQ(line.returned(), Bytes(0));
    EXPECT_EQ(sender.looks, 0);
}

TEST_F(CreditLineTest, WhatIsKeptComesAllAtOnce) {
    line.keep(3, true);
    for (int n = 0; n < 4; ++n) {
        Packet packet = packet_of(200);
        line.spend(packet, 3);
        line.give_back(packet, network.now());
    }
    network.run_until(picos(Nanos(9'000)));
    EXPECT_FALSE(covers(64));
    line.keep(3, false);
    network.run_until(picos(Nanos(10'000)));
    EXPECT_EQ(line.credit(3), Bytes(1024));
}

// Advertised in quanta, or lost on the way.
class CreditPaceTest : public testing::Test {
  protected:
    static Cable cable_of(Bytes quantum, uint32_t lost_65536, Nanos refresh = Nanos(10'000)) {
        return {.speed = BitsPerSecond(10'000'000'000),
                .millimetres = 198'000,
                .credit_pace = {.quantum = quantum, .refresh = refresh},
                .credit_lost_65536 = lost_65536};
    }
    // So many frames of 200 octets begin and leave, one each microsecond.
    void pass(CreditLine& line, int frames) {
        for (; frames > 0; --frames) {
            Packet packet;
            packet.length = 200;
            if (!line.covers(3, Bytes(200))) break;
            line.spend(packet, 3);
            line.give_back(packet, network.now());
            network.run_for(Nanos(1'000));
        }
    }

    static constexpr CreditTerms terms{only_priority(3), Bytes(1024), Bytes(256)};
    Network network;
    class : public Actor {
        void look() override {}
    } sender;
};

TEST_F(CreditPaceTest, AQuantumIsAdvertisedAtOnce) {
    CreditLine line(network, sender, cable_of(Bytes(512), 0), terms);
    pass(line, 1);
    network.run_until(picos(Nanos(1'500)));
    EXPECT_EQ(line.credit(3), Bytes(768));
    pass(line, 1);
    network.run_until(picos(Nanos(3'000)));
    EXPECT_EQ(line.credit(3), Bytes(1024));
}

TEST_F(CreditPaceTest, LessThanAQuantumIsAdvertisedByTheRefresh) {
    CreditLine line(network, sender, cable_of(Bytes(512), 0), terms);
    pass(line, 1);
    network.run_until(picos(Nanos(9'999)));
    EXPECT_EQ(line.credit(3), Bytes(768));
    network.run_until(picos(Nanos(10'000)));
    EXPECT_EQ(line.credit(3), Bytes(1024));
}

TEST_F(CreditPaceTest, WithoutARefreshItIsNotAdvertised) {
    CreditLine line(network, sender, cable_of(Bytes(512), 0, Nanos(0)), terms);
    pass(line, 1);
    network.run_until(picos(Nanos(1'000'000)));
    EXPECT_EQ(line.credit(3), Bytes(768));
}

TEST_F(CreditPaceTest, WhatIsLostIsMadeGoodByWhatComesThrough) {
    CreditLine half(network, sender, cable_of(Bytes(1), 32'768), terms, 1);
    pass(half, 50);
    network.run_for(Nanos(1'000'000));
    EXPECT_EQ(half.credit(3), Bytes(1024));
    CreditLine none(network, sender, cable_of(Bytes(1), 65'536), terms, 1);
    pass(none, 50);
    network.run_for(Nanos(1'000'000));
    EXPECT_EQ(none.credit(3), Bytes(0));
}

TEST(CreditBuffer, IsTheLoopAndALongestFrame) {
    // 2 us at 10 Gb/s are 2500 octets, which may cost 256/84 of themselves in cells of 256.
    constexpr Cable cable{BitsPerSecond(10'000'000'000), 198'000};
    EXPECT_EQ(credit_buffer(cable, Bytes(1500), Bytes(1)), Bytes(2500 + 3 * 1500));
    EXPECT_EQ(credit_buffer(cable, Bytes(1500), Bytes(256)), Bytes(30 * 256 + 3 * 6 * 256));
    Cable in_quanta = cable;
    in_quanta.credit_pace.quantum = Bytes(1025);
    EXPECT_EQ(credit_buffer(in_quanta, Bytes(1500), Bytes(1)), Bytes(2500 + 3 * 1500 + 2 * 1024));
    EXPECT_EQ(credit_buffer(in_quanta, Bytes(1500), Bytes(256)),
              Bytes(30 * 256 + 3 * 6 * 256 + 2 * 1024));
}

}  // namespace
}  // namespace sluice::sim
