#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/control/driven_switch.h"
#include "tests/unit/control/nulls.h"
#include "tools/sluice/top/view.h"

namespace sluice::cli::top {
namespace {

const View& view_of(std::string_view name) {
    for (const View& view : views()) {
        if (view.name == name) return view;
    }
    throw std::out_of_range(std::string(name));
}

// Returns the text of a row under a title.
std::string shown(const View& view, const Row& row, std::string_view title) {
    for (std::size_t column = 0; column < view.columns.size(); ++column) {
        if (view.columns[column].title == title) return row[column].text;
    }
    return "no such column";
}

Json port(std::string_view name, uint64_t rx_frames, uint64_t rx_bytes) {
    return {{"name", name},           {"link", "up"},         {"device", "ring:x/a"},
            {"rx_frames", rx_frames}, {"rx_bytes", rx_bytes}, {"tx_frames", 0},
            {"tx_bytes", 0},          {"dropped", 0},         {"rate_bps", 1'000'000'000}};
}

TEST(TopView, RatesAreOfTheTimeBetweenTwoLooks) {
    const View& view = view_of("ports");
    const auto rows = rows_of(view, Json::array({port("a", 1000, 60'000)}),
                              Json::array({port("a", 5000, 300'000)}), 2.0);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(shown(view, rows[0], "PORT"), "a");
    EXPECT_EQ(shown(view, rows[0], "RX"), "2 k/s");
    EXPECT_EQ(shown(view, rows[0], "TX"), "0/s");
    EXPECT_EQ(shown(view, rows[0], "RX BITS"), "960 kb/s");
    // 2,000 frames a second of 60 + 24 octets, of 1 Gb/s.
    EXPECT_EQ(shown(view, rows[0], "RX %"), "0.1 %");
    EXPECT_NEAR(rows[0][4].value, 2000.0 * 84 * 8 / 1e9, 1e-12);
}

TEST(TopView, WhereThereIsNoRateItSaysSo) {
    const View& view = view_of("ports");
    const Json now = Json::array({port("a", 1, 60), port("b", 10, 600)});
    for (const Json& before : {Json(), Json::array({port("b", 20, 1200)})}) {
        const auto rows = rows_of(view, before, now, 1.0);
        EXPECT_EQ(shown(view, rows[0], "RX"), "-") << "it was not there before";
        EXPECT_EQ(shown(view, rows[1], "RX"), "-") << "it counts anew";
        EXPECT_EQ(shown(view, rows[1], "RX %"), "-");
    }
}

TEST(TopView, APauseIsAShareOfTheTime) {
    const View& view = view_of("pauses");
    const auto pause = [](uint64_t priority, uint64_t paused) {
        return Json{{"port", "p0"},        {"priority", priority},
                    {"paused_ns", paused}, {"pausing_ns", 0},
                    {"rx_pause", 3},       {"tx_pause", 0},
                    {"because_of", {"x"}}, {"watchdog", "operational"},
                    {"storms", 0},         {"holds_up", Json::array()}};
    };
    const auto rows = rows_of(view, Json::array({pause(3, 0), pause(4, 0)}),
                              Json::array({pause(4, 3'000'000'000), pause(3, 500'000'000)}), 2.0);
    EXPECT_EQ(shown(view, rows[0], "HELD"), "100.0 %") << "one that ended is told of late";
    EXPECT_EQ(shown(view, rows[1], "HELD"), "25.0 %") << "a row is known by port and priority";
    EXPECT_EQ(shown(view, rows[1], "BECAUSE OF"), "x");
    EXPECT_EQ(shown(view, rows[1], "HOLDS UP"), "-");
}

TEST(TopView, RowsMayLieWithinAnAnswer) {
    const View& view = view_of("buffer");
    const Json group = {{"port", "p0"},          {"priority", 3},       {"lossless", true},
                        {"occupancy_bytes", 96}, {"xoff_bytes", 128},   {"xon_bytes", 64},
                        {"headroom_used", 0},    {"headroom_bytes", 0}, {"occupancy_max", 128}};
    const auto rows = rows_of(view, Json(), {{"groups", Json::array({group})}}, 1.0);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(shown(view, rows[0], "OF XOFF"), "75.0 %");
    EXPECT_EQ(shown(view, rows[0], "HEADROOM"), "-") << "it has none";
    EXPECT_TRUE(rows_of(view, Json(), {{"size_bytes", 1}}, 1.0).empty());
}

TEST(TopView, OfWhatThereIsNoneIsShownAsNone) {
    const View& buffer = view_of("buffer");
    const Json lossy = {{"port", "p0"},          {"priority", 0},         {"lossless", false},
                        {"occupancy_bytes", 96}, {"xoff_bytes", nullptr}, {"xon_bytes", nullptr},
                        {"headroom_used", 0},    {"headroom_bytes", 0},   {"occupancy_max", 128}};
    const auto rows = rows_of(buffer, Json(), {{"groups", Json::array({lossy})}}, 1.0);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(shown(buffer, rows[0], "OF XOFF"), "-");
    // For each view a row that has names only.
    for (const View& view : views()) {
        Json row;
        for (const Column& column : view.columns) {
            row[std::string(column.key)] = nullptr;
            if (!column.other.empty()) row[std::string(column.other)] = nullptr;
        }
        for (const std::string_view key : view.identity) row[std::string(key)] = "x";
        Json answer = Json::array({row});
        if (!view.rows.empty()) {
            answer = Json();
            answer[Json::json_pointer{std::string(view.rows)}] = Json::array({row});
        }
        EXPECT_EQ(rows_of(view, answer, answer, 1.0).size(), 1U) << view.name;
    }
}

// Any field of any answer of a switch may be null.
TEST(TopView, EveryFieldMayBeNull) {
    control::DrivenSwitch driven(
        3, [](Settings& settings) { settings.ports[0].pfc.lossless = only_priority(3); });
    driven.receive(0, 0x020000000001, 0x020000000002, 3);
    driven.receive(1, 0x020000000002, 0x020000000001, 0);
    driven.receive_pause(2, {.enabled = only_priority(3), .time = {0, 0, 0, 100}});
    for (const View& view : views()) {
        const Json answer = driven.show(view.noun, true);
        for_each_null(answer, [&](const Json& changed, const std::string& which) {
            EXPECT_NO_THROW(rows_of(view, answer, changed, 1.0)) << view.name << which;
            EXPECT_NO_THROW(rows_of(view, changed, answer, 1.0)) << view.name << which;
        });
    }
}

TEST(TopView, WordsOfOthersDoNotReachTheTerminal) {
    Json hostile = port("a\x1b[2J", 1, 60);
    const View& view = view_of("ports");
    const auto rows = rows_of(view, Json(), Json::array({hostile}), 1.0);
    EXPECT_EQ(shown(view, rows[0], "PORT").find('\x1b'), std::string::npos);
}

TEST(TopView, EveryBarIsAShare) {
    for (const View& view : views()) {
        const Measure measure = view.columns.at(view.bar).measure;
        EXPECT_TRUE(measure == Measure::wire_share || measure == Measure::time_share ||
                    measure == Measure::of)
            << view.name;
    }
}

}  // namespace
}  // namespace sluice::cli::top
