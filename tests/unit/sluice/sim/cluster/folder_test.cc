#include "tools/sluice/sim/cluster/folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/unit/sluice/sim/cluster/swept_folder.h"
#include "tools/sluice/sim/cluster/atomic_file.h"

namespace sluice::cli {
namespace {

using test::SweptFolder;

TEST(SweepFolder, ListsTheSameRunsForWhoMadeItAndForATask) {
    const SweptFolder swept(5);
    const SweepFolder made = swept.open();
    const auto read = SweepFolder::read(swept.path());
    ASSERT_TRUE(read.has_value());
    ASSERT_EQ(read->runs().size(), 5U);
    for (std::size_t run = 0; run < 5; ++run) {
        EXPECT_EQ(words_of(read->runs()[run]), words_of(made.runs()[run]));
    }
    EXPECT_EQ(words_of(read->runs()[4]).dump(), R"(["run.seed=5"])");
    EXPECT_EQ(read->sweep().text, swept.sweep().text);
}

TEST(SweepFolder, HasAnOutcomeThatATaskHasPut) {
    const SweptFolder swept(3);
    const SweepFolder folder = swept.open();
    EXPECT_FALSE(folder.outcome(1));
    EXPECT_EQ(SweepFolder::read(swept.path())->put(1, SweptFolder::outcome(1)), "");
    EXPECT_EQ(folder.outcome(1)->rows.dump(), SweptFolder::outcome(1).rows.dump());
    EXPECT_EQ(folder.landed(), 1U);
}

TEST(SweepFolder, BelievesNoFileThatIsOfAnotherRun) {
    const SweptFolder swept(3);
    const SweepFolder folder = swept.open();
    ASSERT_EQ(folder.put(1, SweptFolder::outcome(1)), "");
    std::filesystem::copy_file(folder.path() / "runs/1.json", folder.path() / "runs/2.json");
    EXPECT_FALSE(folder.outcome(2));
    EXPECT_EQ(folder.landed(), 2U) << "names alone are counted";
}

TEST(SweepFolder, CountsNoFileThatIsOfNoRun) {
    const SweptFolder swept(6);
    const SweepFolder folder = swept.open();
    ASSERT_EQ(folder.put(5, SweptFolder::outcome(5)), "");
    for (const char* name : {"5 copy.json", "05.json", "6.json", "-1.json", ".json", "a.json",
                             "99999999999999999999999.json", "4.json.node1.7.part"}) {
        ASSERT_EQ(write_atomically(folder.path() / "runs" / name, "x"), "");
    }
    EXPECT_EQ(folder.landed(), 1U);
}

TEST(SweepFolder, TakesNoFolderOfSomethingElse) {
    for (const char* file : {"scenario/pair.yaml", "runs/0.json", "lists/1.json", "src/main.c"}) {
        const SweptFolder swept(2);
        const std::filesystem::path theirs = std::filesystem::path(swept.path()) / file;
        std::filesystem::create_directories(std::filesystem::path(swept.path()) / "scenario");
        std::filesystem::create_directories(theirs.parent_path());
        ASSERT_EQ(write_atomically(theirs, "theirs"), "");
        EXPECT_FALSE(SweepFolder::of(swept.path(), swept.sweep(), {})) << file;
        EXPECT_EQ(read_file(theirs, 100), "theirs");
        EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(swept.path()) / "sweep.json"));
    }
}

TEST(SweepFolder, IsTakenUpWhereItsMakingEndedHalfWay) {
    const SweptFolder swept(2);
    const std::filesystem::path folder = swept.open().path();
    std::filesystem::rename(folder / "sweep.json", folder / "sweep.json.node1.7.part");
    EXPECT_TRUE(SweepFolder::of(swept.path(), swept.sweep(), {}));
}

TEST(SweepFolder, PartsAListAmongTasks) {
    const SweptFolder swept(10);
    const SweepFolder folder = swept.open();
    ASSERT_EQ(folder.add_list({9, 3, 4, 0, 7}, 2).value(), 1U);
    EXPECT_EQ(folder.part_of_list(1, 0).value(), (Runs{9, 3}));
    EXPECT_EQ(folder.part_of_list(1, 2).value(), (Runs{7}));
    EXPECT_FALSE(folder.part_of_list(1, 3));
    EXPECT_FALSE(folder.part_of_list(1, SIZE_MAX));
    EXPECT_FALSE(folder.part_of_list(2, 0));
    EXPECT_EQ(folder.add_list({1}, 1).value(), 2U) << "an older list stays as it is";
}

TEST(SweepFolder, RefusesAListThatIsDamaged) {
    const SweptFolder swept(2);
    const SweepFolder folder = swept.open();
    for (const char* text :
         {"", "[]", R"({"each":0,"runs":[1]})", R"({"each":1,"runs":[2]})",
          R"({"each":-1,"runs":[1]})", R"({"runs":[1]})", R"({"each":1,"runs":["1"]})"}) {
        ASSERT_EQ(write_atomically(folder.path() / "lists/1.json", text), "");
        EXPECT_FALSE(folder.part_of_list(1, 0)) << text;
    }
}

TEST(SweepFolder, RefusesAPlanThatIsDamaged) {
    const SweptFolder swept(2);
    const auto file = swept.open().path() / "sweep.json";
    const std::string right = *read_file(file, 65536);
    for (std::size_t length = 0; length < right.size() - 2; length += 7) {
        ASSERT_EQ(write_atomically(file, right.substr(0, length)), "");
        EXPECT_FALSE(SweepFolder::read(swept.path())) << length;
    }
    ASSERT_EQ(write_atomically(file, right), "");
    EXPECT_TRUE(SweepFolder::read(swept.path()));
}

TEST(SweepFolder, IsOfOneSweep) {
    const SweptFolder swept(2);
    ASSERT_EQ(swept.open().runs().size(), 2U);
    Sweep other = swept.sweep();
    other.changes.push_back({"run.time", "2ms"});
    EXPECT_FALSE(SweepFolder::of(swept.path(), other, {}));
    EXPECT_TRUE(SweepFolder::of(swept.path(), swept.sweep(), {}));
}

TEST(SweepFolder, KeepsWhatWasSubmittedLast) {
    const SweptFolder swept(2);
    const SweepFolder folder = swept.open();
    EXPECT_FALSE(folder.job());
    ASSERT_EQ(folder.put_job({"slurm", "12"}), "");
    ASSERT_EQ(folder.put_job({"slurm", "13;c"}), "");
    EXPECT_EQ(folder.job()->on, "slurm");
    EXPECT_EQ(folder.job()->name, "13;c");
}

}  // namespace
}  // namespace sluice::cli
