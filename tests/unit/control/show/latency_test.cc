#include "control/show/latency.h"

#include <gtest/gtest.h>

#include "control/show/cleared_counters.h"
#include "tests/unit/control/driven_switch.h"

namespace sluice::control {
namespace {

constexpr uint64_t alice = 0x020000000001;
constexpr uint64_t bob = 0x020000000002;

// Each frame is timed, and waits for as long as the test says.
class Timed : public DrivenSwitch {
  public:
    Timed() : DrivenSwitch(2, [](Settings& of) { of.latency_one_in = 1; }) {
        pass(1, bob, alice, 0, Nanos(1000));
        pass(0, alice, bob, 0, Nanos(1000));
    }
    void pass(PortIndex from, uint64_t source, uint64_t destination, Priority priority,
              Nanos wait) {
        receive(from, source, destination, priority);
        forward();
        housekeep();
        now += wait;
        housekeep();
    }
    void pass(Priority priority, Nanos wait) { pass(0, alice, bob, priority, wait); }
};

TEST(ShowLatency, has_percentiles_and_the_longest_by_priority) {
    Timed two;
    for (int n = 0; n < 98; ++n) two.pass(3, Nanos(600));
    two.pass(3, Nanos(5'000'000));
    two.pass(3, Nanos(40'000'000'000));
    const Json shown = two.show("latency");
    EXPECT_EQ(shown["sample"], 1);
    EXPECT_EQ(shown["lost"], 0);
    ASSERT_EQ(shown["priorities"].size(), 2);
    const Json& row = shown["priorities"][1];
    EXPECT_EQ(row["priority"], 3);
    EXPECT_EQ(row["frames"], 100);
    EXPECT_EQ(row["p50_ns"], 640);
    EXPECT_EQ(row["p99_ns"], 5'242'880);
    EXPECT_EQ(row["p999_ns"], int64_t{1} << 34);
    EXPECT_EQ(row["max_ns"], 40'000'000'000);
    EXPECT_EQ(row["sum_ns"], 98 * 600 + 40'005'000'000);
    EXPECT_EQ(row["mean_ns"], row["sum_ns"].get<int64_t>() / 100);
    EXPECT_EQ(row["buckets"][0], (Json{{"below_ns", 640}, {"frames", 98}}));
    EXPECT_EQ(row["buckets"][2], (Json{{"below_ns", nullptr}, {"frames", 1}}));
    EXPECT_EQ(two.show("latency", true)["priorities"].size(), 8);
}

TEST(ShowLatency, no_percentile_is_above_the_longest) {
    Timed two;
    two.pass(3, Nanos(1000));
    const Json row = two.show("latency")["priorities"][0];
    EXPECT_EQ(row["max_ns"], 1000);
    EXPECT_EQ(row["buckets"][0]["below_ns"], 1024);
    EXPECT_EQ(row["p50_ns"], 1000);
    EXPECT_EQ(row["p999_ns"], 1000);
}

TEST(ShowLatency, percentiles_outlast_a_longest_that_was_cleared) {
    Timed two;
    for (int n = 0; n < 10; ++n) two.pass(3, Nanos(1000));
    two.dataplane->clear_watermarks();
    for (int poll = 0; poll < 4; ++poll) two.housekeep();
    EXPECT_EQ(two.show("latency")["priorities"][1]["max_ns"], 0);
    EXPECT_EQ(two.show("latency")["priorities"][1]["p50_ns"], 1024);
    two.pass(3, Nanos(500));
    const Json row = two.show("latency")["priorities"][1];
    EXPECT_EQ(row["max_ns"], 500);
    EXPECT_EQ(row["p50_ns"], 1024) << "these were before, and no shorter for that";
}

TEST(ShowLatency, counts_from_where_counters_were_cleared) {
    Timed two;
    two.pass(3, Nanos(9000));
    ClearedCounters cleared;
    cleared.take([&](std::string_view noun) { return two.show(noun); });
    EXPECT_EQ(cleared.since("latency", two.show("latency"), false)["priorities"], Json::array());
    two.pass(3, Nanos(600));
    const Json rows = cleared.since("latency", two.show("latency"), false)["priorities"];
    ASSERT_EQ(rows.size(), 1);
    EXPECT_EQ(rows[0]["frames"], 1);
    EXPECT_EQ(rows[0]["p999_ns"], 640);
    EXPECT_EQ(rows[0]["sum_ns"], 600);
    EXPECT_EQ(rows[0]["mean_ns"], 600);
}

TEST(ShowLatency, says_when_it_is_off) {
    const DrivenSwitch two(2);
    EXPECT_EQ(two.show("latency")["sample"], 0);
    EXPECT_EQ(two.show("latency")["priorities"], Json::array());
}

}  // namespace
}  // namespace sluice::control
