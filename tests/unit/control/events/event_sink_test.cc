// What becomes of events: a line of the log, a row of the event log, or nothing where one of its
// kind and port was reported too often.
#include "control/events/event_sink.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::control {
namespace {

using namespace sluice::literals;
using std::chrono::seconds;

class EventSinkTest : public testing::Test {
  protected:
    // Reports `count` events of a kind at a port at that time. Returns how many were logged.
    int reported(const std::string& kind, const Where& where, Nanos now, int count) {
        const std::size_t before = lines.size();
        for (int n = 0; n < count; ++n) sink.report(notice(kind, where, "x"), now);
        return static_cast<int>(lines.size() - before);
    }

    std::vector<std::string> lines;  // `!` before a warning
    EventSink sink{[](PortIndex port) { return "p" + std::to_string(port); },
                   [this](Severity severity, const std::string& line) {
                       lines.push_back((severity == Severity::warning ? "!" : "") + line);
                   }};
};

TEST_F(EventSinkTest, WritesALineAndARowOfEach) {
    sink.notice("link_up", PortIndex{3}, "link up at 10Gbps");
    sink.warn("link_down", std::string("wan"), "link down");
    sink.warn("fdb_full", {}, "raise fdb.capacity");
    sink.notice("stp_port", Where(2, "bond0"), "root port, forwarding");
    EXPECT_EQ(lines,
              (std::vector<std::string>{"p3: link up at 10Gbps", "!wan: link down",
                                        "!raise fdb.capacity", "bond0: root port, forwarding"}));
    std::string rows;
    for (const LoggedEvent& row : sink.log().events()) {
        rows +=
            std::to_string(row.number) + " " + row.kind + "@" + row.port + " " + row.text + "\n";
    }
    EXPECT_EQ(rows,
              "1 link_up@p3 link up at 10Gbps\n"
              "2 link_down@wan link down\n"
              "3 fdb_full@ raise fdb.capacity\n"
              "4 stp_port@bond0 root port, forwarding\n");
}

TEST_F(EventSinkTest, ReportsALostLineWithoutALine) {
    sink.report_silently(notice("log_lost", {}, "3 lines lost"));
    EXPECT_TRUE(lines.empty());
    ASSERT_EQ(sink.log().count(), 1U);
    EXPECT_EQ(sink.log().events()[0].text, "3 lines lost");
}

TEST_F(EventSinkTest, APortsProtocolIsLimitedToABurstAndThenOneASecond) {
    EXPECT_EQ(reported("lldp_neighbour_changed", PortIndex{0}, 100_s, 20), 8);
    EXPECT_EQ(reported("lldp_neighbour_added", PortIndex{0}, 100_s, 1), 0) << "of one protocol";
    EXPECT_EQ(reported("lldp_neighbour_added", PortIndex{0}, 101_s, 9), 1);
    EXPECT_EQ(reported("lldp_neighbour_added", PortIndex{0}, 200_s, 20), 8);
}

TEST_F(EventSinkTest, OtherPortsAndProtocolsHaveALimitOfTheirOwn) {
    EXPECT_EQ(reported("lacp_detached", PortIndex{0}, 100_s, 20), 8);
    EXPECT_EQ(reported("lacp_detached", PortIndex{1}, 100_s, 20), 8);
    for (const char* kind : {"lldp_neighbour_added", "loop_detected", "stp_port", "dcbx_fault",
                             "neighbour_resolved"}) {
        EXPECT_EQ(reported(kind, PortIndex{0}, 100_s, 20), 8) << kind;
    }
    EXPECT_EQ(reported("address_taken", PortIndex{0}, 100_s, 1), 0) << "ARP, as a neighbour is";
}

TEST_F(EventSinkTest, TheSwitchIsLimitedByItself) {
    EXPECT_EQ(reported("stp_port", PortIndex{0}, 100_s, 20), 8);
    EXPECT_EQ(reported("stp_root", {}, 100_s, 20), 8);
    EXPECT_EQ(reported("stp_port", Where(0, "bond0"), 100_s, 1), 0) << "the port by another name";
}

TEST_F(EventSinkTest, QueriersAreLimitedOfAllPortsTogether) {
    EXPECT_EQ(reported("querier_other", PortIndex{0}, 100_s, 20), 8);
    EXPECT_EQ(reported("querier_other", PortIndex{1}, 100_s, 1), 0);
    EXPECT_EQ(reported("querier_began", {}, 100_s, 1), 0);
}

TEST_F(EventSinkTest, WhatNoPeerCausesIsNotLimited) {
    EXPECT_EQ(reported("link_up", PortIndex{0}, 100_s, 50), 50);
}

TEST_F(EventSinkTest, AReporterMayAskFirst) {
    int admitted = 0;
    for (int n = 0; n < 20; ++n) admitted += sink.admits("dcbx_fault", PortIndex{0}, 100_s) ? 1 : 0;
    EXPECT_EQ(admitted, 8);
    EXPECT_TRUE(lines.empty());
}

TEST_F(EventSinkTest, ACountThatGrowsIsDueAtOnceAndEveryTenSeconds) {
    const auto at = [](int second) { return EventSink::Time(seconds(second)); };
    EXPECT_FALSE(sink.growth("missed", PortIndex{0}, 0, at(0)));
    EXPECT_EQ(sink.growth("missed", PortIndex{0}, 3, at(1)), 3U);
    EXPECT_FALSE(sink.growth("missed", PortIndex{0}, 5, at(10)));
    EXPECT_EQ(sink.growth("missed", PortIndex{1}, 5, at(10)), 5U) << "another port";
    EXPECT_EQ(sink.growth("pause_ignored", PortIndex{0}, 1, at(10)), 1U) << "another kind";
    EXPECT_EQ(sink.growth("missed", PortIndex{0}, 9, at(11)), 6U);
}

TEST_F(EventSinkTest, WhatIsSkippedOrBelongsToAFormerPortIsNotReported) {
    const auto at = [](int second) { return EventSink::Time(seconds(second)); };
    sink.skip("missed", PortIndex{0}, 7);
    EXPECT_EQ(sink.growth("missed", PortIndex{0}, 9, at(1)), 2U);
    sink.skip("missed", PortIndex{0}, 20);
    EXPECT_FALSE(sink.growth("missed", PortIndex{0}, 21, at(2))) << "one was reported just now";
    sink.begin_anew("missed", PortIndex{0}, 30);
    EXPECT_EQ(sink.growth("missed", PortIndex{0}, 31, at(3)), 1U) << "of this port none was";
}

}  // namespace
}  // namespace sluice::control
