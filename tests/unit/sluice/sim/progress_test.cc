#include "tools/sluice/sim/progress.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

TEST(ProgressLine, OfOneRunSaysHowFarItIsHowFastAndHowLongItTakes) {
    EXPECT_EQ(progress_line({.share = 0.25,
                             .detail = "1ms of 4ms",
                             .counted = 6'000'000,
                             .unit = "events",
                             .seconds = 4}),
              "[######..................]  25.0 %, 1ms of 4ms, 1.5 M events/s, 12 s left");
}

TEST(ProgressLine, OfSeveralSaysHowManyAreDone) {
    EXPECT_EQ(progress_line({.share = 0.5, .jobs = 8, .finished = 3, .seconds = 100}),
              "[############............]  50.0 %, 3 of 8 done, 1 min 40 s left");
}

TEST(ProgressLine, SaysNothingOfTheTimeLeftBeforeItCanBeKnownAndAtTheEnd) {
    EXPECT_EQ(progress_line({.share = 0.001, .seconds = 1}), "[........................]   0.1 %");
    EXPECT_EQ(progress_line({.share = 1, .seconds = 90}), "[########################] 100.0 %");
}

TEST(ProgressLine, HasTimesThatPeopleRead) {
    EXPECT_EQ(progress_line({.share = 0.5, .seconds = 7260}),
              "[############............]  50.0 %, 2 h 1 min left");
    EXPECT_EQ(progress_line({.share = 0.5, .counted = 900, .unit = "slots", .seconds = 2}),
              "[############............]  50.0 %, 450 slots/s, 2 s left");
    EXPECT_EQ(progress_line({.share = 0.5, .counted = 9000, .unit = "slots", .seconds = 2}),
              "[############............]  50.0 %, 4.5 k slots/s, 2 s left");
}

}  // namespace
}  // namespace sluice::cli
