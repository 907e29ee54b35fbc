#include "dataplane/pfc/pause_bits.h"

#include <gtest/gtest.h>

#include "tests/support/pauses.h"

namespace sluice {
namespace {

using namespace literals;
using test::pause_of;

constexpr PrioritySet bit(unsigned number) { return static_cast<PrioritySet>(1U << number); }

TEST(PauseBits, AnXoffNamesAllBitsOfAPriority) {
    PauseBits bits;
    bits.sent[3] = bit(5) | bit(6);
    const PauseFrame named = to_bits(pause_of(bit(3), 0), bits, bit(3), Quanta(100));
    EXPECT_EQ(named.enabled, bit(5) | bit(6));
    EXPECT_EQ(named.time[5], 100);
    EXPECT_EQ(named.time[6], 100);
    EXPECT_EQ(named.time[3], 0);
}

TEST(PauseBits, AnXonEndsNoBitThatAnotherPriorityHolds) {
    PauseBits bits;
    bits.sent[3] = bit(5);
    bits.sent[4] = bit(5) | bit(4);
    const PauseFrame named = to_bits(pause_of(bit(3) | bit(4), 0), bits, bit(3), Quanta(100));
    EXPECT_EQ(named.enabled, bit(5) | bit(4));
    EXPECT_EQ(named.time[5], 100);
    EXPECT_EQ(named.time[4], 0);
}

class Held {
  public:
    explicit Held(const PauseBits& bits, PrioritySet lossless = bit(3)) {
        PfcSettings pfc;
        pfc.lossless = lossless;
        pfc.bits = bits;
        held.configure(pfc, 10_Gbps);
    }

    PauseFrame receive(const PauseFrame& pause, Nanos now, bool beyond = false) {
        const PauseFrame meant = held.to_priorities(pause, now);
        held.take(pause, now, beyond);
        return meant;
    }

    HeldBits held;
};

TEST(PauseBits, ABitHoldsWhatLeavesWithIt) {
    PauseBits bits;
    bits.received[5] = bit(3) | bit(5);
    bits.received[3] = 0;
    Held at(bits);
    EXPECT_EQ(at.held.obeying(), bit(3) | bit(5));
    const PauseFrame held = at.receive(pause_of(bit(5), 100), Nanos(0));
    EXPECT_EQ(held.enabled, bit(3) | bit(5));
    EXPECT_EQ(held.time[3], 100);
    EXPECT_EQ(at.receive(pause_of(bit(3), 100), Nanos(0)).enabled, 0);
}

TEST(PauseBits, ABitOfLossyPrioritiesAloneHoldsNone) {
    PauseBits bits;
    bits.received[6] = bit(5) | bit(6);
    Held at(bits);
    EXPECT_EQ(at.held.obeying(), bit(3));
    EXPECT_EQ(at.receive(pause_of(bit(6), 100), Nanos(0)).enabled, 0);
}

TEST(PauseBits, OneBeyondWhatIsListenedToHoldsNothingLater) {
    PauseBits bits;
    bits.received[5] = bits.received[6] = bit(3);
    Held at(bits);
    at.receive(pause_of(bit(5), 100), Nanos(0), true);
    EXPECT_EQ(at.receive(pause_of(bit(6), 0), Nanos(0)).time[3], 0);
    // A priority that the frame resumes is resumed.
    at.receive(pause_of(bit(5), 100), Nanos(0));
    at.receive(pause_of(bit(5), 0), Nanos(0), true);
    EXPECT_EQ(at.receive(pause_of(bit(6), 0), Nanos(0)).time[3], 0);
}

// 100 quanta take 5.12 us at 10G.
TEST(PauseBits, APriorityGoesOnWhenItsLastBitDoes) {
    PauseBits bits;
    bits.received[5] = bits.received[6] = bit(3);
    Held at(bits);
    EXPECT_EQ(at.receive(pause_of(bit(5), 100), Nanos(0)).time[3], 100);
    const PauseFrame both = at.receive(pause_of(bit(6), 50), Nanos(0));
    EXPECT_GE(both.time[3], 100);
    EXPECT_LE(both.time[3], 101);
    const PauseFrame after = at.receive(pause_of(bit(5), 0), 1_us);
    EXPECT_EQ(after.enabled, bit(3));
    EXPECT_GE(after.time[3], 30);  // of 50 some 20 are over
    EXPECT_LE(after.time[3], 32);
    EXPECT_EQ(at.receive(pause_of(bit(5), 0), 3_us).time[3], 0);
}

TEST(PauseBits, WithOwnNumbersNothingIsTranslated) {
    EXPECT_FALSE(Held(PauseBits{}).held.translates());
    EXPECT_EQ(Held(PauseBits{}).held.obeying(), bit(3));
}

TEST(PauseBits, A8023xPauseAndAProbeAreWhatTheyAre) {
    PauseBits bits;
    bits.received[5] = bit(3);
    Held at(bits);
    PauseFrame link = pause_of(0xFF, 9);
    link.whole_link = true;
    EXPECT_EQ(at.receive(link, Nanos(0)).enabled, 0xFF);
    EXPECT_EQ(at.receive(pause_of(0, 9), Nanos(0)).enabled, 0);
}

}  // namespace
}  // namespace sluice
