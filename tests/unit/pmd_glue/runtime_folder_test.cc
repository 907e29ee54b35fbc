#include "pmd_glue/runtime_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace sluice::pmd {
namespace {

namespace fs = std::filesystem;

// The id of a process that is no more.
pid_t ended() {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    return child;
}

class RuntimeFolderTest : public testing::Test {
  protected:
    void SetUp() override {
        std::array<char, 32> pattern{"/tmp/sluice_eal_XXXXXX"};
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern.data();
        fs::create_directory(ours());
    }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path ours() const { return folder_ / own_prefix(); }
    std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder_)) {
            found.insert(entry.path().filename());
        }
        return found;
    }

    fs::path folder_;
};

TEST_F(RuntimeFolderTest, ours_goes_with_what_is_in_it) {
    std::ofstream(ours() / "config") << "EAL's";
    remove_own_runtime_folder(ours());
    EXPECT_EQ(names(), std::set<std::string>());
}

TEST_F(RuntimeFolderTest, one_that_the_user_named_stays) {
    fs::create_directory(folder_ / "rte");
    remove_own_runtime_folder(folder_ / "rte");
    EXPECT_EQ(names(), (std::set<std::string>{"rte", own_prefix()}));
}

TEST_F(RuntimeFolderTest, those_of_the_dead_go_and_no_others) {
    const std::string dead = "sluice-" + std::to_string(ended());
    const std::string link = "sluice-" + std::to_string(ended());
    const std::string living = "sluice-" + std::to_string(::getppid());
    for (const std::string& name : {dead, living, std::string("sluice-0"), std::string("rte")}) {
        fs::create_directory(folder_ / name);
    }
    fs::create_symlink(folder_ / "rte", folder_ / link);
    remove_runtime_folders_of_the_dead(ours());
    EXPECT_EQ(names(), (std::set<std::string>{own_prefix(), link, living, "rte", "sluice-0"}));
}

// The lock of a process in another PID namespace.
TEST_F(RuntimeFolderTest, one_that_eal_has_locked_stays_until_it_lets_go) {
    const std::string name = "sluice-" + std::to_string(ended());
    fs::create_directory(folder_ / name);
    std::array<int, 2> locked{};
    ASSERT_EQ(::pipe(locked.data()), 0);
    const pid_t user = ::fork();
    if (user == 0) {
        struct flock lock {};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        lock.l_start = 64;  // a part of the file, as EAL does
        lock.l_len = 64;
        const int file = ::open((folder_ / name / "config").c_str(), O_RDWR | O_CREAT, 0600);
        const bool holds = ::fcntl(file, F_SETLK, &lock) == 0;
        if (::write(locked[1], holds ? "y" : "n", 1) == 1) ::pause();
        ::_exit(0);
    }
    char holds = 0;
    ASSERT_EQ(::read(locked[0], &holds, 1), 1);
    ASSERT_EQ(holds, 'y');
    remove_runtime_folders_of_the_dead(ours());
    EXPECT_EQ(names(), (std::set<std::string>{own_prefix(), name}));
    ::kill(user, SIGKILL);
    ::waitpid(user, nullptr, 0);
    remove_runtime_folders_of_the_dead(ours());
    EXPECT_EQ(names(), std::set<std::string>{own_prefix()});
    for (const int end : locked) ::close(end);
}

}  // namespace
}  // namespace sluice::pmd
