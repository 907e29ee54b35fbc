#include "pmd_glue/wakeup.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <atomic>
#include <thread>

namespace sluice::pmd {
namespace {

constexpr int a_minute = 60'000;

bool is_woken(const Wakeup& wakeup, int within_ms) {
    pollfd one{.fd = wakeup.descriptor(), .events = POLLIN};
    return ::poll(&one, 1, within_ms) == 1;
}

TEST(Wakeup, EndsASleepThatWasAnnounced) {
    Wakeup wakeup;
    wakeup.announce_sleep();
    wakeup.wake();
    EXPECT_TRUE(is_woken(wakeup, a_minute));
}

TEST(Wakeup, IsNotLeftForTheNextSleep) {
    Wakeup wakeup;
    wakeup.announce_sleep();
    wakeup.wake();
    wakeup.end_sleep();
    wakeup.announce_sleep();
    EXPECT_FALSE(is_woken(wakeup, 0));
}

TEST(Wakeup, CostsNobodyACallWhoIsAwake) {
    Wakeup wakeup;
    wakeup.wake();
    EXPECT_FALSE(is_woken(wakeup, 0));
}

// Whether the sleeper looks first or the work comes first, all work is taken without a minute of
// sleep.
TEST(Wakeup, NothingThatIsLeftIsSleptOver) {
    constexpr int rounds = 20'000;
    Wakeup wakeup;
    std::atomic<int> left{0};
    std::atomic<int> taken{0};
    std::atomic<bool> is_over{false};
    std::thread sleeper([&] {
        for (;;) {
            wakeup.announce_sleep();
            if (is_over.load(std::memory_order_relaxed)) break;
            if (const int now = left.load(std::memory_order_relaxed);
                now != taken.load(std::memory_order_relaxed)) {
                taken.store(now, std::memory_order_relaxed);
            } else if (!is_woken(wakeup, a_minute)) {
                break;
            }
            wakeup.end_sleep();
        }
        is_over.store(true);
    });
    int round = 0;
    for (; round < rounds && !is_over.load(); ++round) {
        left.store(round + 1, std::memory_order_relaxed);
        wakeup.wake();
        while (taken.load(std::memory_order_relaxed) <= round && !is_over.load()) continue;
    }
    EXPECT_EQ(round, rounds);
    is_over.store(true);
    wakeup.wake();
    sleeper.join();
    EXPECT_EQ(taken.load(), rounds);
}

}  // namespace
}  // namespace sluice::pmd
