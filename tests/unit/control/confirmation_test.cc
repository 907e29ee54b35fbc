#include "control/confirmation.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::control {
namespace {

using namespace std::chrono_literals;

class ConfirmationTest : public testing::Test {
  protected:
    void turn() {
        for (int n = 0; n < 3; ++n) loop_.run_once(500ms);
    }
    Loop loop_;
    std::vector<std::string> back_;
    Confirmation confirmation_{
        loop_, [this](const Confirmation::Text& before) { back_.push_back(before.text); }};
};

TEST_F(ConfirmationTest, goes_back_to_what_ran_before_the_first) {
    confirmation_.adopted({"f", "one"}, 1s);
    confirmation_.adopted({"f", "two"}, 1s);
    while (back_.empty()) loop_.run_once(100ms);
    turn();
    EXPECT_EQ(back_, std::vector<std::string>{"one"});
    EXPECT_FALSE(confirmation_.confirm());
}

TEST_F(ConfirmationTest, stays_once_confirmed) {
    confirmation_.adopted({"f", "one"}, 1s);
    EXPECT_TRUE(confirmation_.confirm());
    EXPECT_FALSE(confirmation_.confirm());
    turn();
    EXPECT_TRUE(back_.empty());
}

TEST_F(ConfirmationTest, what_is_adopted_for_good_confirms) {
    confirmation_.adopted({"f", "one"}, 1s);
    confirmation_.adopted({"f", "two"}, {});
    EXPECT_FALSE(confirmation_.confirm());
    confirmation_.adopted({"f", "three"}, 1s);
    while (back_.empty()) loop_.run_once(100ms);
    EXPECT_EQ(back_, std::vector<std::string>{"three"});
}

}  // namespace
}  // namespace sluice::control
