#include "tools/sluice/replaced_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

class ReplacedFileTest : public testing::Test {
  protected:
    ReplacedFileTest() {
        std::string folder = (fs::temp_directory_path() / "sluice_replaced.XXXXXX").string();
        folder_ = mkdtemp(folder.data());
        file_ = folder_ / "sluice.yaml";
        write("old\n");
    }
    ~ReplacedFileTest() override { fs::remove_all(folder_); }

    void write(const std::string& text) const { std::ofstream(file_) << text; }
    [[nodiscard]] std::string content() const {
        std::ifstream stream(file_);
        return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    }
    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    }

    fs::path folder_;
    fs::path file_;
};

TEST_F(ReplacedFileTest, HoldsTheNewTextWithTheRightsOfTheOld) {
    fs::permissions(file_, fs::perms::owner_all);
    const auto file = ReplacedFile::read(file_);
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(file->text(), "old\n");
    EXPECT_EQ(file->replace("new\n"), "");
    EXPECT_EQ(content(), "new\n");
    EXPECT_EQ(fs::status(file_).permissions(), fs::perms::owner_all);
    EXPECT_EQ(files(), 1);
}

TEST_F(ReplacedFileTest, LeavesWhatSomebodyElseWroteMeanwhile) {
    const auto file = ReplacedFile::read(file_);
    ASSERT_TRUE(file);
    write("another\n");
    EXPECT_NE(file->replace("new\n").find("another program changed the file"), std::string::npos);
    EXPECT_EQ(content(), "another\n");
    EXPECT_EQ(files(), 1);
}

TEST_F(ReplacedFileTest, NamesWhatCannotBeRead) {
    EXPECT_NE(ReplacedFile::read(folder_ / "none").error().find("cannot be read"),
              std::string::npos);
    EXPECT_FALSE(ReplacedFile::read(folder_));
}

}  // namespace
}  // namespace sluice::cli
