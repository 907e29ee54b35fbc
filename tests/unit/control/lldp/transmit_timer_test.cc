#include "control/lldp/transmit_timer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace sluice::lldp {
namespace {

using namespace literals;

constexpr Nanos begin = 1000_s;

// Seconds since `begin` at which frames go out up to `end`, where the timer is called twice a
// second.
std::vector<int64_t> frames(TransmitTimer& timer, Nanos from, Nanos end) {
    std::vector<int64_t> at;
    for (Nanos now = begin + from; now <= begin + end; now += 500_ms) {
        while (timer.take(now)) at.push_back((now - begin).count() / (1_s).count());
    }
    return at;
}
std::vector<int64_t> at(std::vector<int64_t> seconds) { return seconds; }

TEST(TransmitTimer, starts_with_four_frames_a_second_apart) {
    TransmitTimer timer{{}};
    timer.start(begin);
    EXPECT_EQ(frames(timer, 0_s, 100_s), at({0, 1, 2, 3, 33, 63, 93}));
}

TEST(TransmitTimer, says_when_it_is_next_due) {
    TransmitTimer timer{{}};
    timer.start(begin);
    EXPECT_LE(timer.deadline(), begin);
    EXPECT_TRUE(timer.take(begin));
    EXPECT_EQ(timer.deadline(), begin + 1_s);
    EXPECT_FALSE(timer.take(begin + 999_ms));
}

TEST(TransmitTimer, sends_at_once_after_a_change_and_counts_on_from_there) {
    TransmitTimer timer{{}};
    timer.start(begin);
    frames(timer, 0_s, 10_s);
    timer.local_change(begin + 10_s);
    EXPECT_EQ(frames(timer, 10_s, 60_s), at({10, 40}));
}

TEST(TransmitTimer, sends_fast_for_a_new_neighbour) {
    TransmitTimer timer{{}};
    timer.start(begin);
    frames(timer, 0_s, 10_s);
    timer.fast_start(begin + 11_s);
    EXPECT_EQ(frames(timer, 11_s, 60_s), at({11, 12, 13, 14, 44}));
}

TEST(TransmitTimer, pays_for_changes_with_credit) {
    TransmitTimer timer{{}};
    timer.start(begin);
    frames(timer, 0_s, 20_s);
    const Nanos now = begin + 20_s;
    int sent = 0;
    for (int change = 0; change < 100; ++change) {
        timer.local_change(now);
        if (timer.take(now)) ++sent;
    }
    EXPECT_EQ(sent, 5);
    EXPECT_GT(timer.deadline(), now);
    EXPECT_LE(timer.deadline(), now + 1_s);
    // The last change is not forgotten.
    EXPECT_EQ(frames(timer, 20_s, 25_s), at({21}));
}

TEST(TransmitTimer, gathers_no_more_credit_than_five) {
    TransmitTimer timer{{}};
    timer.start(begin);
    const Nanos now = begin + 100'000_s;
    int sent = 0;
    for (int change = 0; change < 10; ++change) {
        timer.local_change(now);
        if (timer.take(now)) ++sent;
    }
    EXPECT_EQ(sent, 5);
}

}  // namespace
}  // namespace sluice::lldp
