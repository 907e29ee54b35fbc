#include "tools/common/sheet.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

constexpr Column sheet_columns[] = {{"PORT", "name", Format::text, 0},
                                    {"RX", "rx", Format::count},
                                    {"TX", "tx", Format::count, 2},
                                    {"DROPPED", "dropped", Format::count},
                                    {"WHY", "why", Format::prose, 0}};

Json sheet_rows() {
    return {{{"name", "left"}, {"rx", 1000}, {"tx", 20}, {"dropped", 3}, {"why", "ok"}},
            {{"name", "right"},
             {"rx", 7},
             {"tx", 8},
             {"dropped", 9},
             {"why", "its cable leads back to this switch"}}};
}

TEST(Sheet, shows_all_where_nothing_limits_it) {
    Sheet sheet;
    EXPECT_EQ(sheet.table(sheet_rows(), sheet_columns),
              "PORT      RX  TX  DROPPED  WHY\n"
              "left   1,000  20        3  ok\n"
              "right      7   8        9  its cable leads back to this switch\n");
    EXPECT_EQ(sheet.last_line(), "");
}

TEST(Sheet, texts_go_on_in_the_next_line_of_their_cell) {
    Sheet sheet({55});
    EXPECT_EQ(sheet.table(sheet_rows(), sheet_columns),
              "PORT      RX  TX  DROPPED  WHY\n"
              "left   1,000  20        3  ok\n"
              "right      7   8        9  its cable leads back to this\n"
              "                           switch\n");
}

TEST(Sheet, leaves_out_what_matters_least_and_says_so) {
    Sheet sheet({48});
    EXPECT_EQ(sheet.table(sheet_rows(), sheet_columns),
              "PORT      RX  DROPPED  WHY\n"
              "left   1,000        3  ok\n"
              "right      7        9  its cable leads back to\n"
              "                       this switch\n");
    EXPECT_EQ(sheet.last_line(),
              "Left out for want of room: TX; --wide or\n"
              "--columns shows them.\n");
}

TEST(Sheet, no_terminal_is_too_narrow) {
    for (std::size_t width = 12; width < 80; ++width) {
        Sheet sheet({width});
        std::string text = sheet.table(sheet_rows(), sheet_columns);
        for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
            EXPECT_LE(text.find('\n', at) - at, width) << text;
        }
        EXPECT_EQ(text.find("PORT"), 0U);
    }
}

TEST(Sheet, a_key_whose_lists_have_parts_is_no_column) {
    const Json rows = Json::parse(R"([{"buckets": []}, {"buckets": [{"frames": 1}]}])");
    Sheet sheet({config::unlimited_width, {"buckets"}});
    EXPECT_NO_THROW(sheet.table(rows, sheet_columns));
    EXPECT_NE(sheet.refusal(), "");
}

TEST(Sheet, columns_are_asked_for_by_title_or_key_in_any_order) {
    Sheet sheet({config::unlimited_width, {"tx", "PORT"}});
    EXPECT_EQ(sheet.table(sheet_rows(), sheet_columns),
              "TX  PORT\n"
              "20  left\n"
              " 8  right\n");
    EXPECT_EQ(sheet.refusal(), "");
    constexpr Column octets[] = {{"RX OCTETS", "rx_bytes", Format::count}};
    for (const char* name : {"rx octets", "RX_OCTETS", "rx-octets", "rx_bytes"}) {
        Sheet other({config::unlimited_width, {name}});
        EXPECT_EQ(other.table({{{"rx_bytes", 5}}}, octets), "RX OCTETS\n        5\n") << name;
    }
}

TEST(Sheet, an_unknown_column_is_refused_with_those_there_are) {
    Sheet sheet({config::unlimited_width, {"rx", "speed"}});
    sheet.table(sheet_rows(), sheet_columns);
    EXPECT_EQ(sheet.refusal(),
              "--columns: no column is called speed; there are PORT, RX, TX, DROPPED, WHY, "
              "and the keys of --json");
}

TEST(Sheet, any_key_may_be_a_column) {
    const Json rows = {{{"name", "a"},
                        {"max_frame", 1522},
                        {"device_counters", {{"missed", 7}}},
                        {"paused", true},
                        {"ports", {"x", "y"}},
                        {"why", nullptr}},
                       {{"name", "b"},
                        {"max_frame", nullptr},
                        {"device_counters", Json::object()},
                        {"paused", false},
                        {"ports", Json::array()},
                        {"why", "slow"}}};
    constexpr Column columns[] = {{"PORT", "name"}};
    Sheet sheet({config::unlimited_width,
                 {"name", "max_frame", "device_counters/missed", "paused", "ports", "why"}});
    EXPECT_EQ(sheet.table(rows, columns),
              "PORT  MAX FRAME  DEVICE COUNTERS MISSED  PAUSED  PORTS  WHY\n"
              "a          1522                       7  yes     x y    -\n"
              "b             -                       -  -       -      slow\n");
    EXPECT_EQ(sheet.refusal(), "");
    for (const char* name : {"device_counters", "~", "a/b", "", "/"}) {
        Sheet other({config::unlimited_width, {name}});
        EXPECT_EQ(other.table(rows, columns), "");
        EXPECT_NE(other.refusal(), "") << name;
    }
    Sheet nothing({config::unlimited_width, {"actor_key"}});
    EXPECT_EQ(nothing.table_or(Json::array(), columns, "None."), "None.\n");
    EXPECT_EQ(nothing.refusal(), "") << "without rows nobody knows";
}

TEST(Sheet, moments_lose_year_and_zone_where_there_is_little_room) {
    constexpr Column moments[] = {{"AT", "at", Format::moment, 0}};
    const Json rows = {{{"at", "2026-11-29T06:57:28.042Z"}}};
    EXPECT_EQ(Sheet().table(rows, moments), "AT\n2026-11-29T06:57:28.042Z\n");
    EXPECT_EQ(Sheet({80}).table(rows, moments), "AT\n11-29 06:57:28.042\n");
}

TEST(Sheet, sentences_are_folded_between_words) {
    EXPECT_EQ(folded("one two three\nfour\n  a line that begins with spaces\n", 8),
              "one two\nthree\nfour\n  a line that begins with spaces\n");
    EXPECT_EQ(folded("caf\xC3\xA9s", 4), "caf\n\xC3\xA9s") << "a letter is not cut";
}

}  // namespace
}  // namespace sluice::cli
