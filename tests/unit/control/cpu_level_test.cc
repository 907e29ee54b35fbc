#include "control/cpu_level.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace sluice::control {
namespace {

namespace fs = std::filesystem;

// Programs for levels in a folder of their own.
class CpuLevel : public ::testing::Test {
  protected:
    CpuLevel() {
        std::string name = (fs::temp_directory_path() / "levels-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
    }
    ~CpuLevel() override { fs::remove_all(folder_); }

    fs::path add(const std::string& level) {
        fs::create_directories(folder_ / level);
        std::ofstream(folder_ / level / "sluiced") << "a program";
        return folder_ / level / "sluiced";
    }

    fs::path folder_;
};

bool all(std::string_view) { return true; }
bool none(std::string_view) { return false; }
bool below_4(std::string_view level) { return level < "x86-64-v4"; }

TEST_F(CpuLevel, StaysWhereThereIsNoOther) {
    EXPECT_EQ(better_build(folder_, "", all).value(), std::nullopt);
}

TEST_F(CpuLevel, TakesTheHighestThatTheCpuHasAndThatIsHigherThanItsOwn) {
    if (built_for() >= "x86-64-v3") {
        add("x86-64-v2");  // is no better
        EXPECT_EQ(better_build(folder_, "", all).value(), std::nullopt);
        return;
    }
    const fs::path third = add("x86-64-v3");
    EXPECT_EQ(better_build(folder_, "", all).value(), third);
    const fs::path fourth = add("x86-64-v4");
    EXPECT_EQ(better_build(folder_, "", all).value(), fourth);
    EXPECT_EQ(better_build(folder_, "", below_4).value(), third);
    EXPECT_EQ(better_build(folder_, "", none).value(), std::nullopt);
}

TEST_F(CpuLevel, OneThatIsNamedIsTaken) {
    const std::string other = built_for() == "x86-64-v3" ? "x86-64-v2" : "x86-64-v3";
    const fs::path program = add(other);
    add("x86-64-v4");
    EXPECT_EQ(better_build(folder_, other, all).value(), program);
    EXPECT_EQ(better_build(folder_, built_for(), all).value(), std::nullopt);
}

TEST_F(CpuLevel, OneThatIsNamedAndCannotBeIsRefusedWithTheReason) {
    const std::string other = built_for() == "x86-64-v3" ? "x86-64-v2" : "x86-64-v3";
    EXPECT_NE(better_build(folder_, "x86-64-v9", all).error().find("use one of x86-64-v4"),
              std::string::npos);
    EXPECT_NE(better_build(folder_, other, all).error().find("there is no " + folder_.string()),
              std::string::npos);
    add(other);
    EXPECT_NE(better_build(folder_, other, none).error().find("this CPU"), std::string::npos);
}

}  // namespace
}  // namespace sluice::control
