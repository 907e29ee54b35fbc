#include "dataplane/types/token_bucket.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

TEST(TokenBucket, AccruesWithTimeUpToTheMost) {
    TokenBucket bucket(2, 10, 0);
    bucket.advance(3_ns);
    EXPECT_EQ(bucket.credit(), 6);
    bucket.advance(1_s);
    EXPECT_EQ(bucket.credit(), 10);
}

TEST(TokenBucket, AffordsWhatThereIs) {
    TokenBucket bucket(1, 10, 10);
    EXPECT_TRUE(bucket.affords(7));
    EXPECT_FALSE(bucket.affords(4));
    EXPECT_TRUE(bucket.affords(3));
    EXPECT_EQ(bucket.credit(), 0);
}

TEST(TokenBucket, ADebtOfItsOwnIsPaidByTimeAlone) {
    TokenBucket bucket(1, 10, 10);
    bucket.spend(110);
    bucket.advance(60_ns);
    EXPECT_EQ(bucket.credit(), -40);
    bucket.give_back(50);
    EXPECT_EQ(bucket.credit(), 10);
}

TEST(TokenBucket, WhatOthersSpentComesOffWhatAccruedMeanwhile) {
    TokenBucket bucket(1, 10, 0);
    bucket.advance(100_ns, 95);
    EXPECT_EQ(bucket.credit(), 5);
    bucket.advance(200_ns, 1'000'000);
    EXPECT_EQ(bucket.credit(), -10);
}

TEST(TokenBucket, AnHourAtTheGreatestRateDoesNotWrap) {
    constexpr int64_t bits_a_second = 400'000'000'000;
    TokenBucket bucket(bits_a_second, bits_a_second * 10'000'000, 0);
    bucket.advance(3600_s, static_cast<Wide>(bits_a_second) * 1'000'000'000 * 3600);
    EXPECT_EQ(bucket.credit(), 0);
    bucket.advance(7200_s);
    EXPECT_EQ(bucket.credit(), bucket.most());
}

}  // namespace
}  // namespace sluice
