#include "dataplane/credits/credit_sender.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

constexpr CreditTerms terms{.lossless = 0b0000'1000, .buffer = 1_KiB, .cell = 256_B};

CreditCounts limit_of_three(CreditCount limit) {
    CreditCounts limits{};
    limits[3] = limit;
    return limits;
}

TEST(CreditTerms, AFrameCostsWholeCellsAndNeverMoreThanThereIs) {
    EXPECT_EQ(terms.cost(60_B), 256_B);
    EXPECT_EQ(terms.cost(256_B), 256_B);
    EXPECT_EQ(terms.cost(257_B), 512_B);
    EXPECT_EQ(terms.cost(9000_B), 1_KiB);
}

TEST(CreditTerms, WhichCountIsAheadIsKnownAcrossTheEnd) {
    EXPECT_EQ(ahead_of(10, 4), 6_B);
    EXPECT_EQ(ahead_of(4, 10), Bytes(-6));
    EXPECT_EQ(ahead_of(4, UINT32_MAX - 1), 6_B);
    EXPECT_EQ(ahead_of(UINT32_MAX - 1, 4), Bytes(-6));
    const auto far = static_cast<CreditCount>(largest_credit_buffer.count());
    EXPECT_EQ(ahead_of(far - 1, UINT32_MAX), largest_credit_buffer);
}

TEST(CreditSender, SendsWhatTheLimitCovers) {
    CreditSender sender;
    sender.receive(terms, limit_of_three(1024));
    sender.consume(3, 500_B);
    EXPECT_EQ(sender.credit(3), 512_B);
    EXPECT_TRUE(sender.covers(3, 512_B));
    EXPECT_FALSE(sender.covers(3, 513_B));
    sender.consume(3, 512_B);
    EXPECT_FALSE(sender.covers(3, 60_B));
    sender.receive(terms, limit_of_three(1024 + 256));
    EXPECT_TRUE(sender.covers(3, 60_B));
    EXPECT_EQ(sender.consumed()[3], 1024U);
}

TEST(CreditSender, NeedsNoneForWhatIsNotLossless) {
    CreditSender sender;
    sender.receive(terms, {});
    EXPECT_TRUE(sender.covers(4, 9000_B));
    sender.consume(4, 9000_B);
    EXPECT_EQ(sender.consumed()[4], 0U);
}

TEST(CreditSender, GoesOnAcrossTheEndOfItsCounter) {
    CreditSender sender;
    const CreditTerms large{.lossless = 0xFF, .buffer = largest_credit_buffer};
    CreditCount limit = 0;
    for (int times = 0; times < 5; ++times) {
        limit += static_cast<CreditCount>(largest_credit_buffer.count());
        sender.receive(large, limit_of_three(limit));
        EXPECT_EQ(sender.credit(3), largest_credit_buffer) << times;
        EXPECT_TRUE(sender.covers(3, largest_credit_buffer));
        sender.consume(3, largest_credit_buffer);
        EXPECT_FALSE(sender.covers(3, 1_B)) << times;
    }
}

TEST(CreditSender, WhatDidNotBeginConsumesNothing) {
    CreditSender sender;
    sender.receive(terms, limit_of_three(1024));
    sender.consume(3, 500_B);
    sender.consume(3, 60_B);
    sender.refund(3, 60_B);
    sender.refund(4, 60_B);
    EXPECT_EQ(sender.credit(3), 512_B);
}

// The receiver has a smaller buffer now.
TEST(CreditSender, ALimitThatFellBehindWhatWasConsumedCoversNothing) {
    CreditSender sender;
    sender.receive(terms, limit_of_three(1024));
    sender.consume(3, 1000_B);
    sender.receive({.lossless = terms.lossless, .buffer = 512_B}, limit_of_three(512));
    EXPECT_EQ(sender.credit(3), Bytes(-512));
    EXPECT_FALSE(sender.covers(3, 60_B));
}

TEST(CreditSender, CountsFromZeroOnceItIsRestarted) {
    CreditSender sender;
    sender.receive(terms, limit_of_three(1024));
    sender.consume(3, 60_B);
    sender.restart();
    EXPECT_FALSE(sender.covers(3, 60_B)) << "what limits it is not known yet";
    EXPECT_TRUE(sender.covers(4, 60_B));
    sender.receive(terms, limit_of_three(1024));
    EXPECT_EQ(sender.credit(3), 1_KiB);
}

}  // namespace
}  // namespace sluice
