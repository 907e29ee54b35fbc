#include "dataplane/egress/stall_watch.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

constexpr PrioritySet three = 0b1000;

// Detection 200 ms, restoration 300 ms, a look each 100 ms.
class Watched {
  public:
    explicit Watched(WatchdogAction action = WatchdogAction::alert) {
        watch.configure({action, 200_ms, 300_ms, 0_ms, 100_ms});
    }
    // The next look; whether it is stalled then.
    bool look(PrioritySet offered, uint64_t takes = 0, PrioritySet xoffs = 0) {
        state_.offered = offered;
        state_.taken += takes;
        for_each_priority(xoffs, [&](Priority priority) { ++state_.xoffs[priority]; });
        watch.look(state_, now_);
        now_ = watch.next_check();
        return watch.is_stalled();
    }

    StallWatch watch;

  private:
    OutputState state_{.taken = 7};
    Nanos now_{1'000'000'000};
};

TEST(StallWatch, FindsADeviceThatTakesNothing) {
    Watched output;
    EXPECT_FALSE(output.look(three));
    EXPECT_FALSE(output.look(three));
    EXPECT_TRUE(output.look(three));
    EXPECT_EQ(output.watch.detected(), 1U);
}

TEST(StallWatch, FindsNoneWhereOneFrameIsTakenNowAndThen) {
    Watched output;
    for (int round = 0; round < 10; ++round) {
        EXPECT_FALSE(output.look(three));
        EXPECT_FALSE(output.look(three, 1));
    }
}

TEST(StallWatch, FindsNoneWhereNothingIsOffered) {
    Watched output;
    for (int round = 0; round < 10; ++round) {
        EXPECT_FALSE(output.look(three));
        EXPECT_FALSE(output.look(0));
    }
}

// A pause that is over at each look was renewed in between, and held the frames.
TEST(StallWatch, FindsNoneWhereThePeerPauses) {
    Watched output;
    for (int round = 0; round < 10; ++round) EXPECT_FALSE(output.look(three, 0, three));
    // Another priority that nobody pauses, and that is not taken either.
    EXPECT_FALSE(output.look(0b1001, 0, three));
    EXPECT_FALSE(output.look(0b1001, 0, three));
    EXPECT_TRUE(output.look(0b1001, 0, three));
}

// The output takes no frame while it is not paused, and meanwhile no other priority can be sent.
TEST(StallWatch, FindsAPeerThatHidesBehindShortPauses) {
    Watched output;
    int looks = 1;
    while (!output.look(three, 0, three) && looks < 100) ++looks;
    EXPECT_EQ(looks, 18);
    // Nor does it help to be paused at each other look.
    Watched other;
    looks = 1;
    while (!other.look(looks % 2 == 0 ? three : 0, 0, three) && looks < 100) ++looks;
    EXPECT_EQ(looks, 34);
}

TEST(StallWatch, HasPatienceWithWhoTakesAFrameInBetween) {
    Watched output;
    for (int look = 0; look < 200; ++look) {
        EXPECT_FALSE(output.look(three, look % 10 == 0 ? 1 : 0, three));
    }
}

// Priorities that are on offer by turns are never one that was all the time.
TEST(StallWatch, AsksForOnePriorityThroughout) {
    Watched output;
    for (int round = 0; round < 8; ++round) {
        EXPECT_FALSE(output.look(0b0001));
        EXPECT_FALSE(output.look(0b0010));
    }
}

TEST(StallWatch, EndsOnceTheDeviceTakesForLongEnough) {
    Watched output;
    while (!output.look(three)) continue;
    EXPECT_TRUE(output.look(three, 1));
    EXPECT_TRUE(output.look(three, 1));
    EXPECT_TRUE(output.look(three));  // not this time
    EXPECT_TRUE(output.look(three, 1));
    EXPECT_TRUE(output.look(0));
    EXPECT_TRUE(output.look(three, 1));
    EXPECT_FALSE(output.look(three, 1));
    EXPECT_EQ(output.watch.detected(), 1U);
    EXPECT_EQ(output.watch.history().ended(), 700_ms);
}

TEST(StallWatch, DropsAllButUnderAlert) {
    for (const auto action : {WatchdogAction::drop, WatchdogAction::forward}) {
        EXPECT_TRUE(Watched(action).watch.drops_all());
    }
    EXPECT_FALSE(Watched(WatchdogAction::alert).watch.drops_all());
}

TEST(StallWatch, IsOffAndLetsGoOfWhatItFound) {
    Watched output;
    while (!output.look(three)) continue;
    output.watch.configure({.action = WatchdogAction::off});
    EXPECT_FALSE(output.watch.is_stalled());
    EXPECT_EQ(output.watch.next_check(), StallWatch::never);
}

}  // namespace
}  // namespace sluice
