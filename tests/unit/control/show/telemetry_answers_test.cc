#include "control/show/telemetry_answers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "control/show/nouns.h"
#include "tests/unit/control/driven_switch.h"

namespace sluice::control {
namespace {

const TelemetryNoun& about(std::string_view command) {
    return *std::ranges::find(telemetry_nouns(), command, &TelemetryNoun::command);
}

TEST(TelemetryAnswers, a_command_alone_lists_what_rows_are_identified_by) {
    const Json rows = {{{"port", "p0"}, {"priority", 3}},
                       {{"port", "p1"}, {"priority", 3}},
                       {{"port", "p10"}, {"priority", 0}}};
    EXPECT_EQ(telemetry_answer(about("/sluice/pfc"), rows, ""), Json({"p0,3", "p1,3", "p10,0"}));
    EXPECT_EQ(telemetry_answer(about("/sluice/pfc"), rows, "p1"), Json({"p1,3"}));
    EXPECT_EQ(telemetry_answer(about("/sluice/pfc"), rows, "p2"), Json::array());
}

TEST(TelemetryAnswers, a_row_is_a_flat_table_without_lists) {
    const Json rows = {{{"name", "p0"},
                        {"link", "up"},
                        {"rx_frames", 7},
                        {"ratio", 0.5},
                        {"on", true},
                        {"nothing", nullptr},
                        {"lanes", {{{"worker", 0}}}},
                        {"device_counters", {{"missed", 2}}}}};
    EXPECT_EQ(telemetry_answer(about("/sluice/ports"), rows, "p0"),
              (Json{{"name", "p0"},
                    {"link", "up"},
                    {"rx_frames", 7U},
                    {"ratio", "0.5"},
                    {"on", 1U},
                    {"device_counters_missed", 2U}}));
}

TEST(TelemetryAnswers, a_list_is_bounded_and_says_so) {
    Json rows = Json::array();
    for (int n = 0; n < 1000; ++n) rows.push_back({{"name", fmt::format("p{}", n)}});
    const Json words = telemetry_answer(about("/sluice/ports"), rows, "");
    ASSERT_EQ(words.size(), 201);
    EXPECT_EQ(words[0], "p0");
    EXPECT_EQ(words[200], "... and 800 more");
}

TEST(TelemetryAnswers, each_command_is_of_a_noun_that_a_switch_answers) {
    DrivenSwitch two(2, [](Settings& settings) { settings.latency_one_in = 1; });
    two.receive(0, 0x020000000001, 0x020000000002);
    two.forward();
    for (const TelemetryNoun& about : telemetry_nouns()) {
        SCOPED_TRACE(about.command);
        EXPECT_TRUE(is_noun(about.noun));
        EXPECT_LT(about.command.size(), 56U);
        const Json shown = two.show(about.noun, true);
        const Json words = telemetry_answer(about, shown, "");
        if (about.row_keys.empty()) {
            EXPECT_TRUE(words.is_object() && !words.empty());
        } else if (about.noun != "workers") {
            const Json row = telemetry_answer(about, shown, words.at(0).get<std::string>());
            EXPECT_GT(row.size(), about.row_keys.size());
        }
    }
}

}  // namespace
}  // namespace sluice::control
