#include "tools/sluice/calc/md1_queue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <random>

namespace sluice::cli {
namespace {

// P(no more than `frames`) by Erlang's series. Its signs alternate, so it is exact for few frames
// only.
long double by_erlang(long double load, int frames) {
    long double sum = 0;
    for (int k = 0; k <= frames; ++k) {
        const long double x = load * static_cast<long double>(frames - k);
        long double term = std::exp(x);
        for (int i = 1; i <= k; ++i) term *= -x / static_cast<long double>(i);
        sum += term;
    }
    return (1 - load) * sum;
}

// P(more than `frames`) of a queue so long that one pole of its generating function is left.
double by_pole(double load, int frames) {
    const double theta = md1_decay(load);
    return (1 - load) / (load * std::exp(theta) - 1) * std::exp(-theta * frames);
}

// Share that is lost of Poisson arrivals where `room` frames fit, each sent in 1.
double lost_of_many(double load, std::size_t room, int arrivals) {
    std::mt19937_64 random(1);
    std::deque<double> leaves_at;
    double now = 0;
    int lost = 0;
    for (int i = 0; i < arrivals; ++i) {
        now -= std::log((static_cast<double>(random() >> 11) + 0.5) * 0x1p-53) / load;
        while (!leaves_at.empty() && leaves_at.front() <= now) leaves_at.pop_front();
        if (leaves_at.size() == room) {
            ++lost;
        } else {
            leaves_at.push_back((leaves_at.empty() ? now : leaves_at.back()) + 1);
        }
    }
    return static_cast<double>(lost) / arrivals;
}

class ByLoad : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Md1Queue, ByLoad, testing::Values(0.1, 0.5, 0.8, 0.9, 0.95));

TEST_P(ByLoad, a_short_queue_is_as_erlang_has_it) {
    const double load = GetParam();
    const Md1Queue queue(load, 1e-12);
    for (int frames = 0; frames <= 20; ++frames) {
        EXPECT_NEAR(queue.beyond(static_cast<std::size_t>(frames)),
                    static_cast<double>(1 - by_erlang(load, frames)), 1e-10)
            << frames;
    }
}

TEST_P(ByLoad, a_long_queue_falls_as_its_pole_says) {
    constexpr double rarest = 1e-60;
    const double load = GetParam();
    const Md1Queue queue(load, rarest);
    ASSERT_GT(queue.beyond(20), rarest);
    for (int frames = 20; queue.beyond(static_cast<std::size_t>(frames)) > rarest; ++frames) {
        EXPECT_NEAR(queue.beyond(static_cast<std::size_t>(frames)) / by_pole(load, frames), 1, 1e-6)
            << frames;
    }
}

TEST_P(ByLoad, the_mean_is_that_of_pollaczek_and_khinchine) {
    const double load = GetParam();
    const Md1Queue queue(load, 1e-12);
    double mean = 0;
    for (std::size_t frames = 0; queue.beyond(frames) > 0; ++frames) mean += queue.beyond(frames);
    EXPECT_NEAR(mean, load + md1_mean_waiting(load), 1e-9);
    EXPECT_NEAR(md1_mean_waiting(load), load * md1_mean_wait(load), 1e-12) << "Little's law";
}

TEST_P(ByLoad, a_buffer_loses_what_arrivals_one_by_one_do) {
    const double load = GetParam();
    const Md1Queue queue(load, 1e-12);
    constexpr int arrivals = 2'000'000;
    for (const std::size_t room : {1U, 2U, 5U}) {
        const double share = queue.loss(room);
        if (share < 1e-3) continue;  // too few are lost for a figure
        EXPECT_NEAR(lost_of_many(load, room, arrivals) / share, 1, 0.03) << room;
    }
}

TEST(Md1Queue, ninety_per_cent_are_exceeded_once_in_a_million_by_67) {
    const Md1Queue queue(0.9, 1e-6);
    EXPECT_EQ(queue.quantile(1e-6), 67);
    EXPECT_LE(queue.beyond(67), 1e-6);
    EXPECT_GT(queue.beyond(66), 1e-6);
    EXPECT_EQ(queue.room_for_loss(1e-6), 57);
    EXPECT_LE(queue.loss(57), 1e-6);
    EXPECT_GT(queue.loss(56), 1e-6);
}

TEST(Md1Queue, what_is_often_quoted_is_53_and_is_exceeded_more_often) {
    EXPECT_NEAR(md1_quoted_quantile(0.9, 1e-6), 52.98, 0.01);
    EXPECT_NEAR(Md1Queue(0.9, 1e-6).beyond(53), 1.59e-5, 1e-7);
}

TEST(Md1Queue, the_decay_solves_its_equation) {
    for (const double load : {0.001, 0.5, 0.9, 0.999}) {
        const double theta = md1_decay(load);
        EXPECT_GT(theta, 0);
        EXPECT_NEAR(load * std::expm1(theta) / theta, 1, 1e-9) << load;
    }
}

TEST(Md1Queue, a_rare_tail_is_exact_at_either_end_of_the_loads) {
    const Md1Queue light(0.001, 1e-12);
    EXPECT_EQ(light.quantile(1e-12), 3);
    EXPECT_NEAR(light.beyond(3) / static_cast<double>(1 - by_erlang(0.001L, 3)), 1, 1e-4);

    const Md1Queue heavy(0.999, 1e-12);
    EXPECT_EQ(heavy.quantile(1e-12), 13'811);
    EXPECT_NEAR(heavy.beyond(13'811) / by_pole(0.999, 13'811), 1, 1e-6);
}

TEST(Md1Queue, a_queue_without_room_loses_everything) { EXPECT_EQ(Md1Queue(0.5, 1e-3).loss(0), 1); }

}  // namespace
}  // namespace sluice::cli
