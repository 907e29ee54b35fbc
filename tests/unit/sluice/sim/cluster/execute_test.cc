#include "tools/sluice/sim/cluster/execute.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "tests/unit/sluice/sim/cluster/swept_folder.h"
#include "tools/sluice/sim/cluster/atomic_file.h"
#include "tools/sluice/sim/cluster/kubernetes.h"
#include "tools/sluice/sim/cluster/slurm.h"

namespace sluice::cli {
namespace {

using test::SweptFolder;

// Runs its tasks at once, except those that `fails` says are lost; keeps all submissions.
class FakeExecutor : public Executor {
  public:
    using Fails = std::function<bool(std::size_t attempt, std::size_t run)>;
    FakeExecutor(const SweepFolder& folder, Fails fails)
        : folder_(folder), fails_(std::move(fails)) {}

    [[nodiscard]] std::string_view name() const override { return "fake"; }
    tl::expected<std::string, std::string> submit(std::size_t list, std::size_t tasks) override {
        if (!refuses.empty()) return tl::unexpected(refuses);
        ++attempt_;
        submitted += fmt::format("{}x", tasks);
        for (std::size_t task = 0; task < tasks; ++task) {
            submitted += '[';
            // As in a real task, runs behind one that takes the task down are lost too.
            bool down = false;
            const Runs runs = folder_.part_of_list(list, task).value();
            for (const std::size_t run : runs) {
                submitted += fmt::format(" {}", run);
                down = down || fails_(attempt_, run);
                if (down) continue;
                EXPECT_EQ(folder_.put(run, SweptFolder::outcome(run)), "");
            }
            submitted += " ]";
        }
        submitted += '\n';
        return fmt::format("{}", attempt_);
    }
    [[nodiscard]] bool is_job(std::string_view name) const override {
        return !name.starts_with('-');
    }
    [[nodiscard]] std::vector<std::string> query_options() const override { return options_; }
    [[nodiscard]] std::chrono::seconds visibility_delay() const override {
        return unseen_ ? unseen_() : std::chrono::seconds(0);
    }
    tl::expected<bool, std::string> is_running(const std::string& job) override {
        asked += job + ' ';
        if (goes_on_) return goes_on_();
        return false;
    }
    std::string why_stuck(const std::string&) override { return never_; }
    [[nodiscard]] std::string cancel_command(const std::string& job) const override {
        return "end " + job;
    }

    std::string refuses{};
    std::string submitted{};
    std::string asked{};
    std::function<tl::expected<bool, std::string>()> goes_on_{};
    std::function<std::chrono::seconds()> unseen_{};
    std::vector<std::string> options_{};
    std::string never_{};

  private:
    const SweepFolder& folder_;
    Fails fails_;
    std::size_t attempt_ = 0;
};

bool never(std::size_t /*attempt*/, std::size_t /*run*/) { return false; }

TEST(Execute, SubmitsWhatIsMissingAndNoMore) {
    const SweptFolder swept(6);
    const SweepFolder folder = swept.open();
    ASSERT_EQ(folder.put(1, SweptFolder::outcome(1)), "");
    ASSERT_EQ(folder.put(4, SweptFolder::outcome(4)), "");
    FakeExecutor executor(folder, never);
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 3}).value(), Runs{});
    EXPECT_EQ(executor.submitted, "2x[ 0 2 3 ][ 5 ]\n");
    FakeExecutor again(folder, never);
    EXPECT_EQ(execute_with(again, folder, {.runs_per_task = 3}).value(), Runs{});
    EXPECT_EQ(again.submitted, "") << "all is there";
}

TEST(Execute, SubmitsAgainWhatALostTaskLeftUndone) {
    const SweptFolder swept(6);
    const SweepFolder folder = swept.open();
    FakeExecutor executor(folder, [](auto attempt, auto run) { return attempt == 1 && run == 4; });
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 3}).value(), Runs{});
    EXPECT_EQ(executor.submitted, "2x[ 0 1 2 ][ 3 4 5 ]\n2x[ 4 ][ 5 ]\n");
}

TEST(Execute, GivesUpOneRunAloneAfterAllAttempts) {
    const SweptFolder swept(40);
    const SweepFolder folder = swept.open();
    FakeExecutor executor(folder, [](auto /*attempt*/, auto run) { return run == 18; });
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 20, .attempts = 3}).value(),
              Runs{18});
    EXPECT_EQ(executor.submitted.substr(executor.submitted.find('\n') + 1),
              "1x[ 18 19 ]\n2x[ 18 ][ 19 ]\n");
}

TEST(Execute, WaitsForWhatWasSubmittedBefore) {
    const SweptFolder swept(2);
    const SweepFolder folder = swept.open();
    ASSERT_EQ(folder.put_job({"fake", "seen before"}), "");
    FakeExecutor executor(folder, never);
    int asked = 0;
    executor.goes_on_ = [&]() -> tl::expected<bool, std::string> {
        if (++asked == 2) {
            EXPECT_EQ(folder.put(0, SweptFolder::outcome(0)), "");
        }
        return asked < 3;
    };
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 1}).value(), Runs{});
    EXPECT_EQ(executor.asked, "seen before seen before seen before ");
    EXPECT_EQ(executor.submitted, "1x[ 1 ]\n");
}

TEST(Execute, AsksAgainWhereTheExecutorGivesNoAnswer) {
    const SweptFolder swept(1);
    const SweepFolder folder = swept.open();
    FakeExecutor executor(folder, [](auto attempt, auto /*run*/) { return attempt == 1; });
    int asked = 0;
    executor.goes_on_ = [&]() -> tl::expected<bool, std::string> {
        if (++asked < 3) return tl::unexpected(std::string("fake: no route to it"));
        return false;
    };
    testing::internal::CaptureStderr();
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 1}).value(), Runs{});
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "sluice: fake: no route to it; retrying\n");
    EXPECT_EQ(executor.asked, "1 1 1 ");
}

TEST(Execute, DoesNotAskAfterAJobOfAnotherExecutor) {
    const SweptFolder swept(1);
    const SweepFolder folder = swept.open();
    ASSERT_EQ(folder.put_job({"slurm", "7"}), "");
    FakeExecutor executor(folder, never);
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 1}).value(), Runs{});
    EXPECT_EQ(executor.asked, "");
}

TEST(Execute, AsksAfterNothingThatIsNoName) {
    const SweptFolder swept(1);
    const SweepFolder folder = swept.open();
    ASSERT_EQ(folder.put_job({"fake", "--kubeconfig=theirs"}), "");
    FakeExecutor executor(folder, never);
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 1}).value(), Runs{});
    EXPECT_EQ(executor.asked, "");
}

TEST(Execute, AsksAfterAJobWithTheOptionsThatItHad) {
    const SweptFolder swept(1);
    const SweepFolder folder = swept.open();
    ASSERT_EQ(folder.put_job({"fake", "7", {"--namespace=sim"}}), "");
    FakeExecutor executor(folder, never);
    EXPECT_NE(execute_with(executor, folder, {}).error().find("(--namespace=sim)"),
              std::string::npos);
    EXPECT_EQ(executor.asked + executor.submitted, "");
    executor.options_ = {"--namespace=sim"};
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 1}).value(), Runs{});
    EXPECT_EQ(executor.asked, "7 ");
    EXPECT_EQ(folder.job()->options, executor.options_);
}

TEST(Execute, IsDoneWhenAllFilesAreRightAndNotWhenTheyAreThere) {
    const SweptFolder swept(2);
    const SweepFolder folder = swept.open();
    ASSERT_EQ(folder.put_job({"fake", "before"}), "");
    FakeExecutor executor(folder, never);
    int asked = 0;
    executor.goes_on_ = [&]() -> tl::expected<bool, std::string> {
        const bool is_last = ++asked == 3;
        for (const std::size_t run : Runs{0, 1}) {
            const std::string file = fmt::format("runs/{}.json", run);
            EXPECT_EQ(write_atomically(folder.path() / file, "by a damaged program"), "");
            if (is_last) {
                EXPECT_EQ(folder.put(run, SweptFolder::outcome(run)), "");
            }
        }
        return !is_last;
    };
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 1}).value(), Runs{});
    EXPECT_EQ(executor.submitted, "") << "the job that went on has done both";
}

TEST(Execute, RemovesNoFileOfATaskThatGoesOn) {
    const SweptFolder swept(2);
    const SweepFolder folder = swept.open();
    ASSERT_EQ(folder.put_job({"fake", "before"}), "");
    ASSERT_EQ(write_atomically(folder.path() / "runs/0.json", "not to be read just now"), "");
    FakeExecutor executor(folder, never);
    bool is_there = false;
    executor.goes_on_ = [&]() -> tl::expected<bool, std::string> {
        is_there = std::filesystem::exists(folder.path() / "runs/0.json");
        return false;
    };
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 1}).value(), Runs{});
    EXPECT_TRUE(is_there);
}

TEST(Execute, WaitsAfterTheLastAttemptForWhatIsSeenLate) {
    const SweptFolder swept(2);
    const SweepFolder folder = swept.open();
    FakeExecutor executor(folder, [](auto /*attempt*/, auto run) { return run == 1; });
    executor.unseen_ = [&] {
        EXPECT_EQ(folder.put(1, SweptFolder::outcome(1)), "");
        return std::chrono::seconds(1);
    };
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 1, .attempts = 1}).value(), Runs{});
}

TEST(Execute, SaysWhyNothingCouldBeSubmitted) {
    const SweptFolder swept(1);
    const SweepFolder folder = swept.open();
    FakeExecutor executor(folder, never);
    executor.refuses = "no such partition";
    EXPECT_EQ(execute_with(executor, folder, {.runs_per_task = 1}).error(), "no such partition");
}

TEST(RunsPerTask, TakeAboutTwentySeconds) {
    EXPECT_EQ(runs_per_task(100'000, 0, 1), 100U) << "a thousand tasks at the most";
    EXPECT_EQ(runs_per_task(10'000, 0, 1), 20U);
    EXPECT_EQ(runs_per_task(10'000, 0, 0.001), 312U) << "some thirty tasks at the least";
    EXPECT_EQ(runs_per_task(10'000, 0, 3600), 10U);
    EXPECT_EQ(runs_per_task(500, 0, 3600), 1U);
    EXPECT_EQ(runs_per_task(20, 0, 0.001), 1U);
    EXPECT_EQ(runs_per_task(1, 0, 0), 1U);
}

TEST(RunsPerTask, AreAsManyAsIsSaid) {
    EXPECT_EQ(runs_per_task(500, 7, 0), 7U);
    EXPECT_EQ(runs_per_task(5, 7, 0), 5U);
    EXPECT_EQ(runs_per_task(5000, 1, 0), 5U) << "a thousand tasks at the most";
}

TEST(RunsPerTask, AreFewerInEachAttempt) {
    EXPECT_EQ(runs_per_retry_task(400, 20, 1, 3), 20U);
    EXPECT_EQ(runs_per_retry_task(400, 20, 2, 3), 2U);
    EXPECT_EQ(runs_per_retry_task(400, 4, 2, 3), 1U);
    EXPECT_EQ(runs_per_retry_task(400, 20, 3, 3), 1U);
    EXPECT_EQ(runs_per_retry_task(5000, 20, 3, 3), 5U) << "a thousand tasks at the most";
    EXPECT_EQ(runs_per_retry_task(400, 20, 1, 1), 20U);
}

TEST(JobName, OfSlurmIsANumberAndACluster) {
    const SweptFolder swept(1);
    const SweepFolder folder = swept.open();
    const ClusterOptions options;
    const Slurm slurm(folder, options);
    for (const char* name : {"7", "1234567", "12;main", "12;a-B_3"}) {
        EXPECT_TRUE(slurm.is_job(name)) << name;
    }
    for (const char* name : {"", "x", "-1", "12 ", "12;", ";a", "12;a;b", "12;a b", "12;$(id)",
                             "12\n13", "--clusters=all"}) {
        EXPECT_FALSE(slurm.is_job(name)) << name;
    }
}

TEST(JobName, OfKubernetesIsOneThatWasGivenHere) {
    const SweptFolder swept(1);
    const SweepFolder folder = swept.open();
    const ClusterOptions options;
    const Kubernetes kubernetes(folder, options);
    EXPECT_TRUE(kubernetes.is_job("sluice-sim-0123456789abcdef"));
    for (const char* name : {"", "sluice-sim-", "sluice-sim-0123456789abcde", "--kubeconfig=theirs",
                             "sluice-sim-0123456789abcdeg", "sluice-sim-0123456789abcdef0",
                             "a-sluice-sim-0123456789abcdef"}) {
        EXPECT_FALSE(kubernetes.is_job(name)) << name;
    }
}

TEST(Execute, AJobThatCanNeverRunIsNotWaitedFor) {
    const SweptFolder swept(2);
    const SweepFolder folder = swept.open();
    FakeExecutor executor(folder, [](std::size_t, std::size_t) { return true; });
    executor.goes_on_ = [] { return true; };
    executor.never_ = "there is no such image";
    const auto left = execute_with(executor, folder, {.runs_per_task = 2});
    ASSERT_FALSE(left);
    EXPECT_EQ(
        left.error(),
        "no task of 1 will ever run: there is no such image; `end 1` removes it, and the same "
        "command then submits another");
}

}  // namespace
}  // namespace sluice::cli
