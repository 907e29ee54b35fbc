#include "tools/common/table.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

TEST(Table, words_to_the_left_and_numbers_to_the_right) {
    constexpr Column columns[] = {{"PORT", "name"}, {"FRAMES", "rx", Format::count}};
    const Json rows = {{{"name", "a"}, {"rx", 1234567}}, {{"name", "uplink"}, {"rx", 8}}};
    EXPECT_EQ(render_table(rows, columns),
              "PORT       FRAMES\n"
              "a       1,234,567\n"
              "uplink          8\n");
}

TEST(Table, what_a_row_lacks_is_a_dash) {
    constexpr Column columns[] = {{"PORT", "name"}, {"MISSED", "device/missed", Format::count}};
    const Json rows = {{{"name", "a"}, {"device", {{"missed", 3}}}},
                       {{"name", "b"}},
                       {{"name", "c"}, {"device", {{"missed", nullptr}}}}};
    EXPECT_EQ(render_table(rows, columns),
              "PORT  MISSED\n"
              "a          3\n"
              "b          -\n"
              "c          -\n");
}

TEST(Table, no_line_ends_in_spaces) {
    constexpr Column columns[] = {{"PORT", "name"}, {"PORTS", "ports", Format::list}};
    const Json rows = {{{"name", "a"}, {"ports", {"x", "y", "z"}}},
                       {{"name", "b"}, {"ports", Json::array()}}};
    EXPECT_EQ(render_table(rows, columns),
              "PORT  PORTS\n"
              "a     x y z\n"
              "b     -\n");
}

TEST(Table, nobody_writes_on_the_terminal) {
    EXPECT_EQ(show_cell("\x1b[2Jup\n", Format::text), "\\x1B[2Jup\\x0A");
    EXPECT_EQ(show_cell({"a\x7f", "\xC2\x9B"}, Format::list), "a\\x7F \\xC2\\x9B");
    EXPECT_EQ(show_cell("\xC2\x9Bm", Format::number), "\"\\xC2\\x9Bm\"");
    EXPECT_EQ(show_cell("Zürich", Format::text), "Zürich");
}

TEST(Table, each_format_shows_its_kind) {
    EXPECT_EQ(show_cell("", Format::text), "-");
    EXPECT_EQ(show_cell(true, Format::yes_no), "yes");
    EXPECT_EQ(show_cell(false, Format::yes_no), "-");
    EXPECT_EQ(show_cell(4094, Format::number), "4094");
    EXPECT_EQ(show_cell(41.26, Format::decimal), "41.3");
    EXPECT_EQ(show_cell(2048, Format::size), "2 KiB");
    EXPECT_EQ(show_cell(1000, Format::rate), "1 kb/s");
    EXPECT_EQ(show_cell(1200, Format::seconds), "1,200 s");
}

}  // namespace
}  // namespace sluice::cli
