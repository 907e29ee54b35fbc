#include "dataplane/credits/credit_receiver.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

constexpr CreditTerms terms{.lossless = 0b0000'1000, .buffer = 1_KiB, .cell = 256_B};

// A frame of priority 3 comes. False: there is no room for it.
bool comes(CreditReceiver& receiver, Bytes cost) {
    receiver.came(3, cost);
    return receiver.take(3, cost);
}

CreditReceiver receiver_of(const CreditPace& pace) {
    CreditReceiver receiver(terms, pace);
    receiver.sent(0_us);
    return receiver;
}

TEST(CreditReceiver, TheLimitIsWhatCameAndWhatIsFree) {
    CreditReceiver receiver(terms, {});
    EXPECT_EQ(receiver.limits()[3], 1024U);
    EXPECT_EQ(receiver.limits()[4], 0U);
    EXPECT_TRUE(comes(receiver, 512_B));
    EXPECT_EQ(receiver.occupied(3), 512_B);
    EXPECT_EQ(receiver.limits()[3], 1024U) << "it was in the limit before";
    receiver.give_back(3, 512_B);
    EXPECT_EQ(receiver.limits()[3], 1024U + 512U);
}

TEST(CreditReceiver, WhatHasNoRoomIsNotHereAndItsCreditIsBack) {
    CreditReceiver receiver(terms, {});
    EXPECT_TRUE(comes(receiver, 1_KiB));
    EXPECT_FALSE(comes(receiver, 256_B));
    EXPECT_EQ(receiver.occupied(3), 1_KiB);
    EXPECT_EQ(receiver.limits()[3], 1024U + 256U);
}

TEST(CreditReceiver, TakesWhatIsNotLossless) {
    CreditReceiver receiver(terms, {});
    receiver.came(4, 9000_B);
    EXPECT_TRUE(receiver.take(4, 9000_B));
    receiver.give_back(4, 9000_B);
    EXPECT_EQ(receiver.occupied(4), 0_B);
}

TEST(CreditReceiver, AdvertisesAfterAQuantum) {
    CreditReceiver receiver = receiver_of({.quantum = 512_B});
    EXPECT_TRUE(comes(receiver, 256_B));
    EXPECT_TRUE(comes(receiver, 512_B));
    EXPECT_FALSE(receiver.is_due(1_us)) << "nothing was given back";
    receiver.give_back(3, 256_B);
    EXPECT_FALSE(receiver.is_due(2_us));
    receiver.give_back(3, 512_B);
    EXPECT_TRUE(receiver.is_due(3_us));
    receiver.sent(3_us);
    EXPECT_FALSE(receiver.is_due(1_s));
}

TEST(CreditReceiver, AdvertisesAfterTheRefreshInAnyCase) {
    CreditReceiver receiver = receiver_of({.quantum = 512_B, .refresh = 10_us});
    EXPECT_FALSE(receiver.is_due(9_us));
    EXPECT_TRUE(receiver.is_due(10_us));
    receiver.sent(10_us);
    EXPECT_FALSE(receiver.is_due(19_us));
    EXPECT_TRUE(receiver.is_due(20_us));
}

TEST(CreditReceiver, AdvertisesAtFirstAndWhereItHurries) {
    CreditReceiver receiver(terms, {});
    EXPECT_TRUE(receiver.is_due(0_us));
    receiver.sent(0_us);
    EXPECT_FALSE(receiver.is_due(1_s));
    receiver.make_due();
    EXPECT_TRUE(receiver.is_due(1_s));
}

TEST(CreditReceiver, GivesBackTheCreditOfWhatWasLost) {
    CreditReceiver receiver = receiver_of({.quantum = 512_B});
    EXPECT_TRUE(comes(receiver, 256_B));
    EXPECT_EQ(receiver.reconcile(3, 256), 0_B);
    EXPECT_EQ(receiver.reconcile(3, 256 + 512), 512_B);
    EXPECT_EQ(receiver.limits()[3], 1024U + 512U);
    EXPECT_TRUE(receiver.is_due(1_us)) << "it is a quantum";
    EXPECT_EQ(receiver.reconcile(3, 256), Bytes(-512)) << "it does not keep to the terms";
    EXPECT_EQ(receiver.reconcile(4, 77), 0_B) << "which is not lossless";
}

TEST(CreditReceiver, WhatIsHereIsNotAdvertisedAgain) {
    CreditReceiver receiver = receiver_of({});
    EXPECT_TRUE(comes(receiver, 768_B));
    receiver.restart();
    EXPECT_TRUE(receiver.is_due(1_us));
    EXPECT_EQ(receiver.limits()[3], 256U);
    receiver.give_back(3, 768_B);
    EXPECT_EQ(receiver.limits()[3], 1024U);
}

TEST(CreditReceiver, GoesOnAcrossTheEndOfItsCounter) {
    CreditReceiver receiver({.lossless = 0b0000'1000, .buffer = largest_credit_buffer, .cell = 1_B},
                            {.quantum = largest_credit_buffer});
    CreditCount last = receiver.limits()[3];
    for (int times = 0; times < 5; ++times) {
        receiver.sent(0_us);
        EXPECT_TRUE(comes(receiver, largest_credit_buffer));
        EXPECT_FALSE(receiver.is_due(0_us)) << times;
        receiver.give_back(3, largest_credit_buffer);
        EXPECT_TRUE(receiver.is_due(0_us)) << times;
        EXPECT_EQ(ahead_of(receiver.limits()[3], last), largest_credit_buffer);
        last = receiver.limits()[3];
    }
}

}  // namespace
}  // namespace sluice
