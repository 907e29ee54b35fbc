#include "tools/sluice/sim/cluster/run_file.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice::cli {
namespace {

constexpr const char* run_key = "0123456789abcdef";

Outcome measured() {
    Outcome outcome{.state = Outcome::State::complete};
    outcome.rows.push_back({{"run.seed", "7"},
                            {"sent", uint64_t{18446744073709551615U}},
                            {"throughput_bps", 0.1 + 0.2},
                            {"mean_delay_ns", 5.0},
                            {"least", 5e-324},
                            {"converged", nullptr}});
    return outcome;
}

std::string run_text() { return text_of_run(7, run_key, measured()); }

TEST(RunFile, ComesBackAsItWent) {
    const auto back = outcome_of(run_text(), 7, run_key);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->state, Outcome::State::complete);
    EXPECT_EQ(back->rows.dump(), measured().rows.dump());
    EXPECT_TRUE(back->rows[0]["sent"].is_number_unsigned());
    EXPECT_TRUE(back->rows[0]["mean_delay_ns"].is_number_float());
}

TEST(RunFile, OfARunThatFailedSaysSo) {
    const Outcome failed = failed_outcome({{"run.seed", "7"}}, "out of memory at 1ms");
    const auto back = outcome_of(text_of_run(7, run_key, failed), 7, run_key);
    ASSERT_TRUE(back.has_value());
    EXPECT_TRUE(back->failed());
    EXPECT_EQ(back->rows.dump(), R"([{"run.seed":"7","failed":"out of memory at 1ms"}])");
}

TEST(RunFile, OfAnotherRunOrKeyIsNothing) {
    EXPECT_FALSE(outcome_of(run_text(), 8, run_key));
    EXPECT_FALSE(outcome_of(run_text(), 7, "0123456789abcdee"));
}

TEST(RunFile, ThatIsCutShortIsNothing) {
    // The last is its end of line.
    for (std::size_t length = 0; length < run_text().size() - 1; ++length) {
        EXPECT_FALSE(outcome_of(run_text().substr(0, length), 7, run_key)) << length;
    }
}

TEST(RunFile, OfWhichAnyOctetIsAnotherIsNothing) {
    const std::string right = run_text();
    for (std::size_t at = 0; at < right.size() - 1; ++at) {
        std::string wrong = right;
        wrong[at] = wrong[at] == '1' ? '2' : '1';
        const auto back = outcome_of(wrong, 7, run_key);
        EXPECT_FALSE(back) << at << ": " << wrong;
    }
}

TEST(RunFile, ThatIsOtherJsonIsNothing) {
    for (const char* other :
         {"", "7", "[]", "{}", "null", R"({"run":7})", R"({"run":"7","key":"0123456789abcdef"})",
          R"({"run":7,"key":"0123456789abcdef","rows":{},"failed":false})",
          R"({"run":7,"key":"0123456789abcdef","rows":[1],"failed":false})"}) {
        EXPECT_FALSE(outcome_of(other, 7, run_key)) << other;
    }
    EXPECT_FALSE(outcome_of(std::string(longest_run_file, ' ') + run_text(), 7, run_key));
}

}  // namespace
}  // namespace sluice::cli
