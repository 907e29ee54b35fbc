#include "control/show/port_history.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::control {
namespace {

using Ports = std::vector<PortHistory::Port>;

TEST(PortHistory, has_the_mean_of_five_seconds_and_no_point_before) {
    PortHistory history;
    EXPECT_EQ(history.of("p0").at("rx_bps"), Json::array());
    for (double second = 0; second < 5; ++second) {
        EXPECT_EQ(history.of("p0").at("rx_bps"), Json::array());
        history.take(Ports{{"p0", {{1000 * second, 10, 0.5, second == 4 ? 1.0 : 0.0}}}});
    }
    const Json shown = history.of("p0");
    EXPECT_EQ(shown.at("every_s"), 5);
    EXPECT_EQ(shown.at("rx_bps"), Json::parse("[2000]"));
    EXPECT_EQ(shown.at("tx_bps"), Json::parse("[10]"));
    EXPECT_EQ(shown.at("paused_share"), Json::parse("[0.5]"));
    EXPECT_EQ(shown.at("pausing_share"), Json::parse("[0.2]"));
}

TEST(PortHistory, keeps_ten_minutes_the_oldest_first) {
    PortHistory history;
    for (double second = 0; second < 605; ++second) {
        history.take(Ports{{"p0", {{second, 0, 0, 0}}}});
    }
    const Json shown = history.of("p0").at("rx_bps");
    ASSERT_EQ(shown.size(), PortHistory::points);
    EXPECT_EQ(shown.front(), 7) << "the first point is gone";
    EXPECT_EQ(shown.back(), 602);
}

TEST(PortHistory, says_null_where_nothing_was_known) {
    PortHistory history;
    for (int second = 0; second < 5; ++second) history.take(Ports{{"p0", {}}});
    for (int second = 0; second < 5; ++second) {
        history.take(Ports{
            {"p0", second == 0 ? std::optional(PortHistory::Second{8, 0, 0, 0}) : std::nullopt}});
    }
    EXPECT_EQ(history.of("p0").at("rx_bps"), Json::parse("[null, 8]"));
}

TEST(PortHistory, forgets_who_is_gone) {
    PortHistory history;
    for (int second = 0; second < 5; ++second) history.take(Ports{{"p0", {{8, 0, 0, 0}}}});
    history.take(Ports{{"p1", {}}});
    EXPECT_EQ(history.of("p0").at("rx_bps"), Json::array());
}

}  // namespace
}  // namespace sluice::control
