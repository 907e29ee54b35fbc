#include <gtest/gtest.h>

#include <optional>
#include <string_view>

#include "tools/sluice/top/screen.h"
#include "tools/sluice/top/state.h"

namespace sluice::cli::top {
namespace {

constexpr State::Seen seen{.columns = 3, .lines = 50, .shown = 20};

State after(std::string_view keys) {
    State state;
    for (const char key : keys) state.handle_key(key, seen);
    return state;
}

TEST(TopState, NumbersChooseAView) {
    EXPECT_EQ(after("3").view, 2U);
    EXPECT_EQ(after("4>r1").view, 0U);
    EXPECT_EQ(after("4>1").order.column, std::nullopt) << "columns are the view's";
    EXPECT_EQ(after("3"
                    "9")
                  .view,
              2U)
        << "there is no ninth";
    EXPECT_EQ(after("3"
                    "0")
                  .view,
              2U);
}

TEST(TopState, ColumnsGoRoundWithTheOrderOfTheSwitchBetween) {
    EXPECT_EQ(after(">").order.column, 0U);
    EXPECT_EQ(after(">>>").order.column, 2U);
    EXPECT_EQ(after(">>>>").order.column, std::nullopt);
    EXPECT_EQ(after("<").order.column, 2U);
    EXPECT_EQ(after("<<<<").order.column, std::nullopt);
    EXPECT_TRUE(after("r").order.reversed);
    State none;
    none.handle_key('>', {});
    EXPECT_EQ(none.order.column, std::nullopt) << "nothing can be seen";
}

TEST(TopState, TheIntervalStaysWithinBounds) {
    EXPECT_DOUBLE_EQ(after("+").every, 2);
    EXPECT_DOUBLE_EQ(after("-").every, 0.5);
    EXPECT_DOUBLE_EQ(after("++++++++++++").every, 60);
    EXPECT_DOUBLE_EQ(after("------------").every, 0.1);
}

TEST(TopState, ScrollingStaysWithinTheLines) {
    State state;
    state.handle_key(key_up, seen);
    EXPECT_EQ(state.first, 0U);
    state.handle_key(key_page_down, seen);
    EXPECT_EQ(state.first, 20U);
    state.handle_key(key_page_down, seen);
    state.handle_key(key_down, seen);
    EXPECT_EQ(state.first, 30U) << "the last lines fill the page";
    state.handle_key(key_page_up, seen);
    EXPECT_EQ(state.first, 10U);
    state.handle_key(key_down, {.columns = 3, .lines = 5, .shown = 20});
    EXPECT_EQ(state.first, 0U) << "it has become short";
}

TEST(TopState, TheRestIsOnOrOff) {
    EXPECT_TRUE(after(" ").is_held);
    EXPECT_FALSE(after("  ").is_held);
    EXPECT_TRUE(after("?").shows_help);
    EXPECT_FALSE(after("?h").shows_help);
    EXPECT_TRUE(after("q").ends);
    EXPECT_FALSE(after("xyz\t").ends);
}

}  // namespace
}  // namespace sluice::cli::top
