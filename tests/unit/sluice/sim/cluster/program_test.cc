#include "tools/sluice/sim/cluster/program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace sluice::cli {
namespace {

std::string why_not(const std::vector<std::string>& words) {
    return output_of(words, std::chrono::milliseconds(300)).error();
}

TEST(Program, IsRunWithItsWordsAsTheyAre) {
    EXPECT_EQ(output_of({"printf", "%s|", "a b", "$HOME", "*"}).value(), "a b|$HOME|*|");
}

TEST(Program, DoesNotSeeWhatItsEnvironmentIsNotToHave) {
    ::setenv("SLUICE_TEST_STATES", "PD", 1);
    const std::vector<std::string> words = {"sh", "-c",
                                            "echo ${SLUICE_TEST_STATES-none} ${PATH+a}"};
    EXPECT_EQ(output_of(words).value(), "PD a\n");
    EXPECT_EQ(output_of(words, std::chrono::seconds(10), "SLUICE_TEST_").value(), "none a\n");
    ::unsetenv("SLUICE_TEST_STATES");
}

TEST(Program, IsAProcessGroupOfItsOwn) {
    const char* const script =
        "read -r pid name state parent group rest </proc/$$/stat; test $group = $pid && echo own";
    EXPECT_EQ(output_of({"sh", "-c", script}).value(), "own\n");
}

TEST(Program, MaySayMoreThanAPipeHolds) {
    EXPECT_EQ(output_of({"head", "-c", "1000000", "/dev/zero"})->size(), 1'000'000U);
}

TEST(Program, ThatFailsIsReportedByItsComplaint) {
    EXPECT_EQ(why_not({"sh", "-c", "echo out; echo '' >&2; echo no >&2; echo more >&2; exit 3"}),
              "sh: no");
    EXPECT_EQ(why_not({"sh", "-c", "echo sh: error: no >&2; exit 3"}), "sh: error: no");
    EXPECT_EQ(why_not({"sh", "-c", "exit 3"}), "sh failed with status 3");
    EXPECT_EQ(why_not({"sh", "-c", "kill -9 $$"}), "sh was ended by SIGKILL");
    EXPECT_EQ(why_not({"no-such-program"}),
              "no-such-program cannot be started: No such file or directory");
}

TEST(Program, ThatGivesNoAnswerIsKilled) {
    EXPECT_EQ(why_not({"sleep", "60"}), "sleep gave no answer in 0 s");
}

}  // namespace
}  // namespace sluice::cli
