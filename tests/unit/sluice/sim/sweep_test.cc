#include "tools/sluice/sim/sweep.h"

#include <gtest/gtest.h>

#include <string>

#include "tools/sluice/sim/sweep_run.h"

namespace sluice::cli {
namespace {

// Each combination a line.
std::string text_of(const std::vector<Swept>& swept) {
    std::string all;
    for (const auto& combination : combinations(swept)) {
        for (const sim::Override& change : combination) {
            all += change.path + '=' + change.value + ' ';
        }
        all += '\n';
    }
    return all;
}

TEST(Sweep, IsAKeyAndItsValues) {
    const auto swept = parse_sweep("cable.length=5m,100m,1km");
    ASSERT_TRUE(swept.has_value());
    EXPECT_EQ(swept->key, "cable.length");
    EXPECT_EQ(swept->values, (std::vector<std::string>{"5m", "100m", "1km"}));
}

TEST(Sweep, KeepsAListInOnePiece) {
    const auto swept = parse_sweep("switch.defaults.lossless=[],[3],[3, 4]");
    ASSERT_TRUE(swept.has_value());
    EXPECT_EQ(swept->values, (std::vector<std::string>{"[]", "[3]", "[3, 4]"}));
}

TEST(Sweep, LacksNoValue) {
    for (const char* word : {"a=", "a=1,", "a=,1", "a=1,,2"}) {
        EXPECT_NE(parse_sweep(word).error().find("lacks a value"), std::string::npos) << word;
    }
    EXPECT_NE(parse_sweep("a").error().find("is no KEY=VALUE"), std::string::npos);
}

TEST(Sweep, OfSeveralKeysIsEveryCombination) {
    EXPECT_EQ(text_of({{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}}),
              "a=1 b=x \na=1 b=y \na=1 b=z \na=2 b=x \na=2 b=y \na=2 b=z \n");
}

TEST(Sweep, GivesAKeyOnce) {
    const Swept length{"cable.length", {"5m", "1km"}};
    const Swept time{"run.time", {"1ms", "2ms"}};
    EXPECT_EQ(key_given_twice({.swept = {length, time}}), "");
    EXPECT_EQ(key_given_twice({.swept = {length, time, length}}), "cable.length");
    EXPECT_EQ(key_given_twice({.changes = {{"run.time", "3ms"}}, .swept = {length, time}}),
              "run.time");
    EXPECT_EQ(key_given_twice({.changes = {{"run.seed", "3"}}, .swept = {length, time}}), "");
    EXPECT_EQ(run_sweep({.swept = {length, length}}, {}, Output::table, nullptr), 2);
}

TEST(Sweep, CountsFromOneNumberToAnother) {
    EXPECT_EQ(parse_sweep("run.seed=7..9,1")->values,
              (std::vector<std::string>{"7", "8", "9", "1"}));
    EXPECT_EQ(parse_sweep("run.seed=5..5")->values, (std::vector<std::string>{"5"}));
    EXPECT_EQ(parse_sweep("run.seed=18446744073709551614..18446744073709551615")->values.size(),
              2U);
}

TEST(Sweep, TakesOtherDotsAsTheyAre) {
    for (const char* value : {"9..1", "..3", "3..", "a..b", "1..2..3", "-1..3", "1ms..3ms"}) {
        EXPECT_EQ(parse_sweep(std::string("key=") + value)->values,
                  (std::vector<std::string>{value}));
    }
}

TEST(Sweep, OfTooManyCombinationsStopsCountingThem) {
    const std::vector<std::string> many(900, "1");
    EXPECT_LE(combinations({{"a", many}, {"b", many}, {"c", many}}).size(), 100'900U);
    EXPECT_GT(combinations({{"a", many}, {"b", many}, {"c", many}}).size(), 100'000U);
    const auto endless = parse_sweep("run.seed=0..18446744073709551615");
    EXPECT_EQ(endless->values.size(), 100'001U);
}

}  // namespace
}  // namespace sluice::cli
