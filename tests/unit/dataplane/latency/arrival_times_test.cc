#include "dataplane/latency/arrival_times.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace sluice {
namespace {

TEST(ArrivalTimes, returns_once_when_a_buffer_came) {
    const auto arrivals = std::make_unique<ArrivalTimes>();
    const int buffer = 0;
    EXPECT_FALSE(arrivals->take(&buffer));
    arrivals->note(&buffer, Nanos(7));
    EXPECT_EQ(arrivals->take(&buffer), Nanos(7));
    EXPECT_FALSE(arrivals->take(&buffer));
}

TEST(ArrivalTimes, a_buffer_that_comes_again_has_come_then) {
    const auto arrivals = std::make_unique<ArrivalTimes>();
    const int buffer = 0;
    arrivals->note(&buffer, Nanos(7));  // and was freed elsewhere
    arrivals->note(&buffer, Nanos(9));
    EXPECT_EQ(arrivals->take(&buffer), Nanos(9));
    EXPECT_FALSE(arrivals->take(&buffer));
    EXPECT_EQ(arrivals->lost(), 0U);
}

TEST(ArrivalTimes, who_finds_no_place_is_counted_and_takes_nobody_elses) {
    const auto arrivals = std::make_unique<ArrivalTimes>();
    std::vector<std::array<int, 32>> buffers(20'000);
    std::vector<bool> noted;
    for (std::size_t n = 0; n < buffers.size(); ++n) {
        noted.push_back(arrivals->note(&buffers[n], Nanos(static_cast<int64_t>(n))));
    }
    std::size_t found = 0;
    for (std::size_t n = 0; n < buffers.size(); ++n) {
        const auto since = arrivals->take(&buffers[n]);
        EXPECT_EQ(since.has_value(), noted[n]);
        if (!since) continue;
        EXPECT_EQ(since->count(), static_cast<int64_t>(n));
        ++found;
    }
    EXPECT_GT(found, 3800U);  // of 4096 places
    EXPECT_EQ(found + arrivals->lost(), buffers.size());
    EXPECT_TRUE(arrivals->note(&buffers.back(), Nanos(1)));
    EXPECT_EQ(arrivals->take(&buffers.back()), Nanos(1));
}

}  // namespace
}  // namespace sluice
