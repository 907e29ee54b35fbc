// Deadlock: a ring whose links wait for each other stands still for ever, until the watchdog drops.
//
// Host 0 stops to receive for 3 ms. What waits for it pauses the link before, and that the one
// before it, all around; when the host goes on, no link can: each waits for the next. An alert
// reports it and changes nothing. Dropping what a stormed queue holds lets the ring go, at the
// price of exactly the frames that are counted.
#include <gtest/gtest.h>

#include "tests/lossless/ring.h"

namespace sluice::test {
namespace {

constexpr Cable cable{BitsPerSecond(10'000'000'000), 5'000};
constexpr Nanos millisecond{1'000'000};
constexpr Nanos second{1'000'000'000};
// In quanta at 10 Gb/s.
constexpr uint16_t three_milliseconds = 58'594;

WatchdogSettings watchdog_that(WatchdogAction action) {
    return {.action = action,
            .detection = millisecond * 20,
            .restoration = millisecond * 20,
            .poll = millisecond * 5};
}

class DeadlockTest : public testing::Test {
  protected:
    static void deadlock(Ring& ring) {
        ring.start();
        ring.network.run_for(millisecond);
        ring.hold(0, three_milliseconds);
        ring.network.run_for(millisecond * 10);
    }
};

TEST_F(DeadlockTest, IsRealAndAnAlertOnlyReportsIt) {
    Ring ring(cable, watchdog_that(WatchdogAction::alert));
    deadlock(ring);
    const uint64_t received = ring.received();
    const uint64_t sent = ring.sent();
    EXPECT_GT(received, 0U);
    ring.network.run_for(second);

    EXPECT_EQ(ring.received(), received) << "something moves";
    EXPECT_EQ(ring.sent(), sent);
    EXPECT_EQ(ring.storms(), Ring::size);
    EXPECT_EQ(ring.dropped_in_all(), 0U);
    EXPECT_TRUE(ring.ledgers_balance());
}

TEST_F(DeadlockTest, EndsWhereTheWatchdogDrops) {
    Ring ring(cable, watchdog_that(WatchdogAction::drop));
    deadlock(ring);
    const uint64_t before = ring.received();
    ring.network.run_for(millisecond * 5);
    EXPECT_EQ(ring.received(), before) << "no deadlock";
    ring.network.run_for(millisecond * 85);
    EXPECT_GT(ring.dropped(Drop::pfc_storm), 0U);

    // Throughput is back.
    const uint64_t resumed = ring.received();
    ring.network.run_for(millisecond * 100);
    EXPECT_GT(ring.received() - resumed, 100'000U);

    ring.stop();
    EXPECT_TRUE(ring.network.run_until([&] { return ring.network.packets().out() == 0; }, second));
    EXPECT_EQ(ring.sent(), ring.received() + ring.dropped(Drop::pfc_storm));
    EXPECT_EQ(ring.dropped_in_all(), ring.dropped(Drop::pfc_storm));
    EXPECT_EQ(ring.storms(), 0U);
    EXPECT_EQ(ring.network.packets().given_twice(), 0U);
    EXPECT_TRUE(ring.ledgers_balance());
}

}  // namespace
}  // namespace sluice::test
