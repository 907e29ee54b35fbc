#include "control/http/response_cache.h"

#include <gtest/gtest.h>

namespace sluice::control::http {
namespace {

using namespace std::chrono_literals;

class KeptTest : public testing::Test {
  protected:
    // Returns the answer, `after` the last request, if making it takes so long.
    std::string ask(Clock::duration after, Clock::duration takes = 0ms,
                    const std::string& name = "a") {
        now_ += after;
        const auto make = [&] {
            now_ += takes;
            return std::to_string(++made_);
        };
        return *cache_.get(name, make, [&] { return now_; });
    }

    ResponseCache cache_;
    Clock::time_point now_;
    int made_ = 0;
};

TEST_F(KeptTest, says_the_same_again_while_it_is_fresh) {
    EXPECT_EQ(ask(0ms), "1");
    EXPECT_EQ(ask(99ms), "1");
    EXPECT_EQ(ask(1ms), "2");
    EXPECT_EQ(ask(100ms), "3");
}

TEST_F(KeptTest, says_for_longer_what_takes_long) {
    EXPECT_EQ(ask(0ms, 50ms), "1");
    EXPECT_EQ(ask(999ms), "1");
    EXPECT_EQ(ask(1ms), "2");
}

TEST_F(KeptTest, keeps_names_apart) {
    EXPECT_EQ(ask(0ms), "1");
    EXPECT_EQ(ask(0ms, 0ms, "b"), "2");
    EXPECT_EQ(ask(0ms), "1");
}

TEST_F(KeptTest, knows_what_all_of_them_take) {
    EXPECT_EQ(cache_.share(), 0);
    ask(0ms, 1ms);
    ask(0ms, 50ms, "b");
    EXPECT_DOUBLE_EQ(cache_.share(), 1.0 / 100 + 1.0 / 20);
    EXPECT_TRUE(cache_.has("a"));
    cache_.clean(now_ + 100ms);
    EXPECT_DOUBLE_EQ(cache_.share(), 1.0 / 20);
    EXPECT_FALSE(cache_.has("a"));
}

TEST_F(KeptTest, leaves_what_is_being_sent_to_who_sends_it) {
    const Body first = cache_.get(
        "a", [] { return std::string("x"); }, [&] { return now_; });
    ask(1000ms);
    EXPECT_EQ(*first, "x");
}

}  // namespace
}  // namespace sluice::control::http
