// What a worker samples of queues, and how control takes it.
#include "dataplane/ipfix/queue_sampler.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice {
namespace {

using namespace literals;
using Words = std::vector<uint64_t>;

std::vector<Words> taken(QueueSampler& sampler) {
    std::vector<Words> samples;
    sampler.take(
        [&](std::span<const uint64_t> words) { samples.emplace_back(words.begin(), words.end()); });
    return samples;
}

TEST(QueueSampler, is_due_once_a_period_and_does_not_drift) {
    QueueSampler sampler(10_us, {.queues = {{0, 0}}}, 1, 16);
    std::vector<int64_t> at;
    for (Nanos now = 3_us; now < 60_us; now += 3_us) {
        if (!sampler.is_due(now)) continue;
        ASSERT_TRUE(sampler.begin(now));
        sampler.end();
        at.push_back(now.count() / 1000);
    }
    EXPECT_EQ(at, (std::vector<int64_t>{3, 15, 24, 33, 45, 54})) << "five periods of the first";
    EXPECT_EQ(taken(sampler).size(), at.size());
    EXPECT_EQ(sampler.longest_distance(), 12'000U);
}

TEST(QueueSampler, makes_nothing_up_for_polls_that_did_not_come) {
    QueueSampler sampler(10_us, {.queues = {{0, 0}}}, 1, 16);
    for (const Nanos now : {1_ms, 2_ms}) {
        ASSERT_TRUE(sampler.is_due(now));
        ASSERT_TRUE(sampler.begin(now));
        sampler.end();
    }
    EXPECT_FALSE(sampler.is_due(2_ms + 9_us));
    EXPECT_TRUE(sampler.is_due(2_ms + 10_us));
    EXPECT_EQ(sampler.samples(), 2U);
}

TEST(QueueSampler, goes_on_from_what_was_counted_and_past_32_bits) {
    QueueSampler sampler(1_us, {.queues = {{1, 3}, {1, 4}}, .groups = {{0, 3}}}, 2, 4);
    constexpr uint64_t many = (uint64_t{7} << 32) + 5;
    sampler.set_left(0, many);
    sampler.see(InputIndex(1), 0, 100, 20);
    ASSERT_TRUE(sampler.begin(5_us));
    sampler.see(InputIndex(0), 0, 3, 1);
    sampler.see(InputIndex(1), 0, 101, 20);
    sampler.see(0, 4, 900);  // one was put back since
    sampler.see(1, 8, 0);
    sampler.see(0, QueueSampler::GroupCounts{64, 32});
    sampler.end();
    ASSERT_TRUE(sampler.begin(6_us));
    sampler.see(0, UINT32_MAX, 0);
    sampler.end();
    const std::vector<Words> samples = taken(sampler);
    ASSERT_EQ(samples.size(), 2U);
    EXPECT_EQ(samples[0], (Words{5000, many - 1, 104, 21, 900, 8, 0, 0, 0, 64, 32}));
    EXPECT_EQ(samples[1][1], many - 6);
    EXPECT_EQ(samples[1][2], 104U) << "what was not looked at is what it was";
}

TEST(QueueSampler, knows_whether_an_input_has_new_drops) {
    QueueSampler sampler(1_us, {.queues = {{0, 0}}}, 2, 2);
    EXPECT_FALSE(sampler.has_more_drops(InputIndex(1), 0));
    EXPECT_TRUE(sampler.has_more_drops(InputIndex(1), 3));
    EXPECT_FALSE(sampler.has_more_drops(InputIndex(1), 3));
    EXPECT_FALSE(sampler.has_more_drops(InputIndex(0), 0));
}

TEST(QueueSampler, loses_and_counts_what_control_does_not_take) {
    QueueSampler sampler(1_us, {.queues = {{0, 0}}}, 1, 2);
    int taken_down = 0;
    for (int n = 0; n < 5; ++n) {
        if (!sampler.begin(Nanos(n * 1000))) continue;
        sampler.end();
        ++taken_down;
    }
    EXPECT_EQ(taken_down, 2);
    EXPECT_EQ(sampler.lost(), 3U);
    EXPECT_EQ(sampler.samples(), 5U);
    const std::vector<Words> samples = taken(sampler);
    ASSERT_EQ(samples.size(), 2U);
    EXPECT_EQ(samples[1][0], 1000U) << "the oldest are kept";
    EXPECT_TRUE(sampler.begin(9_us));
}

}  // namespace
}  // namespace sluice
