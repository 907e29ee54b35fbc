#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/sluice/top/page.h"

namespace sluice::cli::top {
namespace {

// A name, a share and a count; the share is drawn.
const View view{.name = "test",
                .noun = "test",
                .columns = {{"NAME", "name"},
                            {"FULL", "full", Measure::of, "whole"},
                            {"COUNT", "count", Measure::count}},
                .bar = 1};

Row row(const std::string& name, double share, double count) {
    return {{.text = name, .to_the_left = true},
            {.text = std::to_string(static_cast<int>(share * 100)) + " %", .value = share},
            {.text = std::to_string(static_cast<int>(count)), .value = count}};
}

std::vector<std::string> names(const std::vector<Row>& rows) {
    std::vector<std::string> all;
    for (const Row& one : rows) all.push_back(one[0].text);
    return all;
}

TEST(TopPage, NumbersAreSortedFromTheLargestAndTextsByTheAlphabet) {
    const std::vector<Row> rows = {row("b", 0.5, 1), row("c", 0.1, 9), row("a", 0.5, 2)};
    const auto sorted = [&](const Order& order) {
        std::vector<Row> copy = rows;
        sort(copy, order);
        return names(copy);
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(sorted({}), (Names{"b", "c", "a"}));
    EXPECT_EQ(sorted({.column = 0}), (Names{"a", "b", "c"}));
    EXPECT_EQ(sorted({.column = 0, .reversed = true}), (Names{"c", "b", "a"}));
    EXPECT_EQ(sorted({.column = 1}), (Names{"b", "a", "c"})) << "alike: as they were";
    EXPECT_EQ(sorted({.column = 2}), (Names{"c", "a", "b"}));
}

TEST(TopPage, ColumnsThatDoNotFitAreLeftOutWhole) {
    const std::vector<Row> rows = {row("port", 0.5, 12345678)};
    EXPECT_EQ(lay_out(view, rows, {}, 20).titles, "NAME  FULL     COUNT");
    EXPECT_EQ(lay_out(view, rows, {}, 20).lines[0], "port  50 %  12345678");
    const Page narrow = lay_out(view, rows, {}, 19);
    EXPECT_EQ(narrow.titles, "NAME  FULL");
    EXPECT_EQ(narrow.columns, 2U);
    EXPECT_EQ(lay_out(view, rows, {}, 3).titles, "NAM") << "the first is cut";
}

TEST(TopPage, ABarTakesWhatIsLeft) {
    const std::vector<Row> rows = {row("a", 0.5, 1), row("b", 0, 1), row("c", 0.001, 1),
                                   row("d", 7, 1)};
    const Page page = lay_out(view, rows, {}, 30);  // 18 are taken, and a gap
    EXPECT_EQ(page.lines[0], "a      50 %      1  [||||    ]");
    EXPECT_EQ(page.lines[1].substr(20), "[        ]");
    EXPECT_EQ(page.lines[2].substr(20), "[|       ]") << "what is there is seen";
    EXPECT_EQ(page.lines[3].substr(20), "[||||||||]");
    const Page narrow = lay_out(view, rows, {}, 29);
    EXPECT_EQ(narrow.titles, "NAME   FULL") << "it comes before columns of less importance";
    EXPECT_EQ(narrow.lines[0], "a      50 %  [|||||||       ]");
    EXPECT_EQ(lay_out(view, rows, {}, 22).lines[0].find('['), std::string::npos);
    EXPECT_EQ(lay_out(view, rows, {}, 500).lines[0].size(), 20U + 40U);
}

TEST(TopPage, TheTitleSortedByIsMarked) {
    const std::vector<Row> rows = {row("a", 0.5, 1)};
    EXPECT_EQ(lay_out(view, rows, {.column = 2}, 30).titles, "NAME  FULL  COUNTv");
    EXPECT_EQ(lay_out(view, rows, {.column = 0, .reversed = true}, 30).titles,
              "NAME^  FULL  COUNT");
}

TEST(TopPage, WithoutRowsThereAreTitles) {
    EXPECT_EQ(lay_out(view, {}, {}, 80).titles, "NAME  FULL  COUNT");
    EXPECT_TRUE(lay_out(view, {}, {}, 80).lines.empty());
}

}  // namespace
}  // namespace sluice::cli::top
