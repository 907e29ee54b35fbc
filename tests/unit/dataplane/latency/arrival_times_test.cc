#include "dataplane/latency/arrival_times.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace sluice {
namespace {

TEST(ArrivalTimes, tells_when_a_buffer_came_once) {
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
    arrivals->note(&buffer, Nanos(7));  // and was let go of elsewhere
    arrivals->note(&buffer, Nanos(9));
    EXPECT_EQ(arrivals->take(&buffer), Nanos(9));
    EXPECT_FALSE(arrivals->take(&buffer));
    EXPECT_EQ(arrivals->lost(), 0U);
}

TEST(ArrivalTimes, the_oldest_makes_room_and_is_counted) {
    const auto arrivals = std::make_unique<ArrivalTimes>();
    std::vector<std::array<int, 32>> buffers(20'000);
    for (std::size_t n = 0; n < buffers.size(); ++n) {
        arrivals->note(&buffers[n], Nanos(static_cast<int64_t>(n)));
    }
    std::size_t found = 0;
    for (std::size_t n = 0; n < buffers.size(); ++n) {
        const auto since = arrivals->take(&buffers[n]);
        if (!since) continue;
        EXPECT_EQ(since->count(), static_cast<int64_t>(n));
        ++found;
    }
    EXPECT_GT(found, 3800U);  // of 4096 places
    EXPECT_EQ(found + arrivals->lost(), buffers.size());
    arrivals->note(&buffers.back(), Nanos(1));
    EXPECT_EQ(arrivals->take(&buffers.back()), Nanos(1));
}

}  // namespace
}  // namespace sluice
