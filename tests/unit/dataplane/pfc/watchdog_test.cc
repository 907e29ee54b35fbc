#include "dataplane/pfc/watchdog.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace sluice {
namespace {

using namespace literals;

// One queue, priority 3, polled as often as its watchdog wants: detection and restoration 200 ms,
// poll 50 ms.
class Queue {
  public:
    explicit Queue(WatchdogAction action = WatchdogAction::drop, Nanos longest_restoration = {}) {
        watchdog.configure({.action = action,
                            .detection = 200_ms,
                            .restoration = 200_ms,
                            .longest_restoration = longest_restoration,
                            .poll = 50_ms},
                           0x08);
    }

    // Lets time pass with the queue so; a new XOFF comes each 10 ms.
    void is_held(Nanos span) { pass(span, {.backlogged = true, .paused = true}, 0, 5); }
    void is_paused_and_empty(Nanos span) { pass(span, {.paused = true}, 0, 5); }
    void is_slow(Nanos span) { pass(span, {.backlogged = true, .paused = true}, 1, 5); }
    void is_blocked_but_not_paused(Nanos span) { pass(span, {.backlogged = true}, 0, 0); }
    void stays_unpaused(Nanos span) { pass(span, {}, 7, 0); }
    // Paused at every other look.
    void is_paused_in_turns(Nanos span) {
        for (const Nanos end = now + span; now < end;) {
            is_held(50_ms);
            is_blocked_but_not_paused(50_ms);
        }
    }
    void is_resumed() { resumed_ = true; }
    [[nodiscard]] bool storms() const { return watchdog.pfc_storms() != 0; }

    // Returns the time until storms() is `wanted`.
    template <class Happen>
    Nanos until(bool wanted, Happen happen) {
        const Nanos start = now;
        while (storms() != wanted && now - start < 100_s) happen();
        return now - start;
    }

    Watchdog watchdog;
    Nanos now = 10_s;

  private:
    void pass(Nanos span, QueueState state, uint64_t sends, uint64_t hears) {
        for (const Nanos end = now + span; now < end; now += 1_ms) {
            if (now < watchdog.next_check()) continue;
            state.sent = sent_ += sends;
            state.xoffs_received = received_ += hears;
            state.resumed = std::exchange(resumed_, false);
            QueueStates states;
            states[3] = state;
            watchdog.look(states, now);
        }
    }

    uint64_t sent_ = 0;
    uint64_t received_ = 0;
    bool resumed_ = false;
};

TEST(Watchdog, ReportsAStormAfterTheDetectionTime) {
    Queue queue;
    const Nanos took = queue.until(true, [&] { queue.is_held(1_ms); });
    EXPECT_GE(took, 200_ms);
    EXPECT_LE(took, 251_ms);
    EXPECT_EQ(queue.watchdog.pfc_storms(), 0x08);
    EXPECT_EQ(queue.watchdog.detected(3), 1U);
}

TEST(Watchdog, OneThatSendsAnythingIsOnlySlow) {
    Queue queue;
    queue.is_slow(10_s);
    EXPECT_FALSE(queue.storms());
}

TEST(Watchdog, OneThatIsPausedInTurnsDoesNotStorm) {
    Queue queue;
    queue.is_paused_in_turns(10_s);
    EXPECT_FALSE(queue.storms());
}

// Paused at every look, but resumed in between; others were served before it then.
TEST(Watchdog, OneThatWasResumedBetweenChecksDoesNotStorm) {
    Queue queue;
    for (int look = 0; look < 100; ++look) {
        queue.is_held(50_ms);
        queue.is_resumed();
    }
    EXPECT_FALSE(queue.storms());
}

TEST(Watchdog, APauseThatHoldsNothingIsNoStorm) {
    Queue queue;
    queue.is_paused_and_empty(10_s);
    EXPECT_FALSE(queue.storms());
}

TEST(Watchdog, AQueueThatIsBlockedWithoutAPauseIsNoStorm) {
    Queue queue;
    queue.is_blocked_but_not_paused(10_s);
    EXPECT_FALSE(queue.storms());
}

TEST(Watchdog, ShorterThanTheDetectionTimeIsNoStorm) {
    Queue queue;
    for (int turn = 0; turn < 50; ++turn) {
        queue.is_held(150_ms);
        queue.stays_unpaused(50_ms);
    }
    EXPECT_FALSE(queue.storms());
}

TEST(Watchdog, EndsItAfterTheRestorationTimeWithoutPause) {
    Queue queue;
    queue.is_held(300_ms);
    ASSERT_TRUE(queue.storms());
    queue.is_paused_and_empty(5_s);  // its frames were dropped, but it is still paused
    EXPECT_TRUE(queue.storms());
    const Nanos took = queue.until(false, [&] { queue.stays_unpaused(1_ms); });
    EXPECT_GE(took, 200_ms);
    EXPECT_LE(took, 301_ms);
    EXPECT_EQ(queue.watchdog.restored(3), 1U);
    EXPECT_EQ(queue.watchdog.history(3).total(queue.now).count() / 1'000'000'000, 5);
}

// However often the storm returns, its end comes when the settings say so.
TEST(Watchdog, RestorationStaysAsWritten) {
    Queue queue;
    for (uint32_t storm = 0; storm < 8; ++storm) {
        queue.until(true, [&] { queue.is_held(1_ms); });
        EXPECT_EQ(queue.watchdog.returns(3), storm);
        EXPECT_EQ(queue.watchdog.restores_after(3), 200_ms);
        const Nanos took = queue.until(false, [&] { queue.stays_unpaused(1_ms); });
        EXPECT_GE(took, 150_ms) << storm;
        EXPECT_LE(took, 301_ms) << storm;
    }
}

// A peer that storms again as soon as its queue is restored has to stay unpaused for twice as long
// each time, up to the configured maximum.
TEST(Watchdog, AStormThatReturnsAtOnceDoublesItsEndUpToTheLongest) {
    Queue queue(WatchdogAction::drop, 1500_ms);
    for (const Nanos wanted : {200_ms, 400_ms, 800_ms, 1500_ms, 1500_ms}) {
        queue.until(true, [&] { queue.is_held(1_ms); });
        EXPECT_EQ(queue.watchdog.restores_after(3), wanted);
        const Nanos took = queue.until(false, [&] { queue.stays_unpaused(1_ms); });
        EXPECT_GE(took, wanted - 50_ms);
        EXPECT_LE(took, wanted + 101_ms);
    }
    EXPECT_EQ(queue.watchdog.returns(3), 4U);
}

// A new bound holds for the storm that lasts.
TEST(Watchdog, ANewLongestRestorationCountsAtOnce) {
    Queue queue(WatchdogAction::drop, 60_s);
    for (int storm = 0; storm < 8; ++storm) {
        queue.until(false, [&] { queue.stays_unpaused(1_ms); });
        queue.until(true, [&] { queue.is_held(1_ms); });
    }
    ASSERT_EQ(queue.watchdog.restores_after(3), 25600_ms);
    queue.watchdog.configure(
        {.action = WatchdogAction::drop, .detection = 200_ms, .restoration = 200_ms, .poll = 50_ms},
        0x08);
    EXPECT_LE(queue.until(false, [&] { queue.stays_unpaused(1_ms); }), 301_ms);
}

// Even if the restoration time is short against the time of detection.
TEST(Watchdog, AStormThatReturnsAtOnceDoesNotFlapHoweverShortTheRestoration) {
    Queue queue;
    queue.watchdog.configure({.action = WatchdogAction::drop,
                              .detection = 200_ms,
                              .restoration = 10_ms,
                              .longest_restoration = 320_ms,
                              .poll = 50_ms},
                             0x08);
    const Nanos end = queue.now + 20_s;
    while (queue.now < end) {
        queue.until(true, [&] { queue.is_held(1_ms); });
        queue.until(false, [&] { queue.stays_unpaused(1_ms); });
    }
    EXPECT_LT(queue.watchdog.detected(3), 45U);  // 77 if none was made to wait
}

TEST(Watchdog, OneThatBehavedIsForgiven) {
    Queue queue(WatchdogAction::drop, 60_s);
    for (int storm = 0; storm < 4; ++storm) {
        queue.until(true, [&] { queue.is_held(1_ms); });
        queue.until(false, [&] { queue.stays_unpaused(1_ms); });
    }
    queue.stays_unpaused(3_s);
    queue.until(true, [&] { queue.is_held(1_ms); });
    EXPECT_EQ(queue.watchdog.returns(3), 0U);
    EXPECT_LE(queue.until(false, [&] { queue.stays_unpaused(1_ms); }), 251_ms);
}

TEST(Watchdog, WhatIsNotWatchedNeverStorms) {
    Queue queue;
    queue.watchdog.configure({.action = WatchdogAction::drop}, 0x10);
    queue.is_held(10_s);
    EXPECT_FALSE(queue.storms());
    Queue off(WatchdogAction::off);
    EXPECT_EQ(off.watchdog.next_check(), Watchdog::never);
}

TEST(Watchdog, SwitchedOffItEndsAStorm) {
    Queue queue;
    queue.is_held(300_ms);
    ASSERT_TRUE(queue.storms());
    queue.watchdog.configure({.action = WatchdogAction::off}, 0x08);
    EXPECT_FALSE(queue.storms());
    EXPECT_EQ(queue.watchdog.restored(3), 1U);
}

TEST(Watchdog, SaysWhatIsToBeDoneOnlyUnderItsAction) {
    Queue queue(WatchdogAction::forward);
    queue.is_held(300_ms);
    EXPECT_EQ(queue.watchdog.pfc_storms_under(WatchdogAction::forward), 0x08);
    EXPECT_EQ(queue.watchdog.pfc_storms_under(WatchdogAction::drop), 0);
}

}  // namespace
}  // namespace sluice
