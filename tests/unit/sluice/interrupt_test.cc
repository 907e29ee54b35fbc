#include "tools/sluice/interrupt.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

auto what_does(int number) {
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    return now.sa_handler;
}

class InterruptTest : public testing::TestWithParam<int> {};

TEST_P(InterruptTest, TheFirstIsRememberedAndTheSecondEndsTheProgram) {
    const auto before = what_does(GetParam());
    {
        const Interrupt listening;
        EXPECT_FALSE(Interrupt::came());
        raise(GetParam());
        EXPECT_TRUE(Interrupt::came());
        EXPECT_EQ(what_does(GetParam()), SIG_DFL);
    }
    EXPECT_EQ(what_does(GetParam()), before);
    const Interrupt again;
    EXPECT_FALSE(Interrupt::came());
}

INSTANTIATE_TEST_SUITE_P(Each, InterruptTest, testing::Values(SIGINT, SIGTERM));

}  // namespace
}  // namespace sluice::cli
