#include "pmd_glue/lock_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

namespace sluice::pmd {
namespace {

using namespace std::chrono_literals;

constexpr uid_t nobody = 65534;

class LockFileTest : public testing::Test {
  protected:
    void SetUp() override {
        std::array<char, 32> pattern{"/tmp/sluice_lock_XXXXXX"};
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern.data();
        path_ = folder_ + "/turn";
        ::chmod(folder_.c_str(), 0755);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    tl::expected<LockFile, Error> take(std::chrono::milliseconds patience = 0ms) {
        return LockFile::take(
            {.key = "turns", .path = path_, .thing = "the turn", .patience = patience});
    }
    // Leaves the file with the mode of an older version.
    void leave_open_to_others() {
        std::ofstream(path_).close();
        ::chmod(path_.c_str(), 0644);
    }
    static unsigned mode_of(const std::string& path) {
        struct stat about {};
        EXPECT_EQ(::lstat(path.c_str(), &about), 0);
        return about.st_mode & 0777U;
    }

    std::string folder_;
    std::string path_;
};

TEST_F(LockFileTest, has_one_holder_at_a_time_and_names_him) {
    auto first = take();
    ASSERT_TRUE(first.has_value()) << first.error().text();
    const auto second = take();
    ASSERT_FALSE(second.has_value());
    const std::string self = std::to_string(::getpid());
    EXPECT_EQ(second.error().text(), "turns: process " + self + " (pmd_glue_tests) has the turn: " +
                                         path_ + " is locked; stop it first: `kill " + self + "`");
    *first = LockFile();
    EXPECT_TRUE(take().has_value());
}

TEST_F(LockFileTest, is_closed_to_others_even_if_it_was_not) {
    leave_open_to_others();
    ::chmod(folder_.c_str(), 0777);
    ASSERT_TRUE(take().has_value());
    EXPECT_EQ(mode_of(path_), 0600U);
    EXPECT_EQ(mode_of(folder_), 0755U);
}

TEST_F(LockFileTest, goes_when_it_is_removed) {
    auto held = take();
    ASSERT_TRUE(held.has_value()) << held.error().text();
    held->remove();
    EXPECT_FALSE(std::filesystem::exists(path_));
    EXPECT_TRUE(take().has_value());
}

TEST_F(LockFileTest, is_not_looked_for_elsewhere) {
    const std::string elsewhere = folder_ + "/precious";
    std::ofstream(elsewhere).close();
    ::chmod(elsewhere.c_str(), 0644);
    std::filesystem::create_symlink(elsewhere, path_);
    const auto refused = take();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().text(),
              "turns: " + path_ + " cannot be opened: it is a symbolic link; remove it: `rm -r " +
                  path_ + "`");
    EXPECT_EQ(mode_of(elsewhere), 0644U);
}

TEST_F(LockFileTest, is_waited_for) {
    auto first = take();
    ASSERT_TRUE(first.has_value()) << first.error().text();
    std::thread other([&] { EXPECT_TRUE(take(1h).has_value()); });
    std::this_thread::sleep_for(50ms);  // so that it most likely waits; it passes in any case
    *first = LockFile();
    other.join();
}

TEST_F(LockFileTest, is_not_waited_for_by_who_is_asked_to_stop) {
    const auto first = take();
    ASSERT_TRUE(first.has_value()) << first.error().text();
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    ::raise(SIGTERM);
    const auto second = take(1h);
    int came = 0;
    ::sigwait(&signals, &came);
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().what.rfind("stopped by a signal while process ", 0), 0);
}

// Returns the error of `attempt` in a process of its own, in which the system call `call` fails.
std::string error_where(long call, int fault, const std::function<std::string()>& attempt) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        std::array<sock_filter, 4> code{{
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(fault)),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        }};
        const sock_fprog program{.len = code.size(), .filter = code.data()};
        ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        const bool fails = ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
        const std::string text = fails ? attempt() : "no seccomp";
        ::_exit(::write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
    }
    ::close(ends[1]);
    std::array<char, 512> text{};
    const ssize_t size = ::read(ends[0], text.data(), text.size());
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return {text.data(), static_cast<size_t>(std::max<ssize_t>(0, size))};
}

TEST_F(LockFileTest, says_why_there_is_no_lock) {
    const auto attempt = [&] {
        const auto taken = take(1h);
        return taken ? "taken" : taken.error().text();
    };
    EXPECT_EQ(error_where(SYS_flock, ENOLCK, attempt),
              "turns: " + path_ +
                  " cannot be locked: No locks available; use a file system there that supports "
                  "locks, such as tmpfs");
}

TEST_F(LockFileTest, is_not_to_be_removed_where_files_are_short) {
    const std::string error = error_where(SYS_mkdir, EEXIST, [&] {
        const int next = ::dup(0);
        ::close(next);
        // The folder gets the last descriptor.
        const rlimit one_more{.rlim_cur = static_cast<rlim_t>(next) + 1,
                              .rlim_max = static_cast<rlim_t>(next) + 1};
        ::setrlimit(RLIMIT_NOFILE, &one_more);
        const auto taken = take();
        return taken ? "taken" : taken.error().text();
    });
    EXPECT_EQ(error, "turns: " + path_ +
                         " cannot be opened: Too many open files; allow it more open files: "
                         "`ulimit -n`");
}

// Has locked the file as another user, until the test ends.
class Stranger {
  public:
    Stranger(const std::string& path, uid_t effective) {
        EXPECT_EQ(::pipe(locked_.data()), 0);
        process_ = ::fork();
        if (process_ == 0) {
            const bool holds = ::setresuid(nobody, effective, effective) == 0 &&
                               ::flock(::open(path.c_str(), O_RDONLY), LOCK_EX | LOCK_NB) == 0;
            if (::write(locked_[1], holds ? "y" : "n", 1) == 1) ::pause();
            ::_exit(0);
        }
        char holds = 0;
        EXPECT_EQ(::read(locked_[0], &holds, 1), 1);
        EXPECT_EQ(holds, 'y');
    }
    Stranger(const Stranger&) = delete;
    Stranger& operator=(const Stranger&) = delete;
    ~Stranger() {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
        for (const int end : locked_) ::close(end);
    }

  private:
    std::array<int, 2> locked_{};
    pid_t process_ = 0;
};

TEST_F(LockFileTest, is_made_anew_where_a_stranger_has_locked_it) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
    // Himself, and by a program that is setuid.
    for (const uid_t effective : {nobody, uid_t{0}}) {
        leave_open_to_others();
        const Stranger stranger(path_, effective);
        const auto taken = take();
        EXPECT_TRUE(taken.has_value()) << taken.error().text();
        EXPECT_FALSE(take().has_value());
    }
}

TEST_F(LockFileTest, that_cannot_be_made_anew_is_not_tried_for_ever) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
    leave_open_to_others();
    const Stranger stranger(path_, nobody);
    const std::string error = error_where(SYS_unlinkat, EPERM, [&] {
        const auto taken = take(50ms);
        return taken ? "taken" : taken.error().text();
    });
    EXPECT_NE(error.find(path_ + " is locked and cannot be replaced: Operation not permitted"),
              std::string::npos)
        << error;
}

TEST_F(LockFileTest, that_nobody_may_make_anew_says_why) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
    leave_open_to_others();
    const std::string turn = folder_ + "/.replacing";
    ASSERT_EQ(::mkfifo(turn.c_str(), 0600), 0);
    const Stranger stranger(path_, nobody);
    const auto taken = take(50ms);
    ASSERT_FALSE(taken.has_value());
    const std::string error = taken.error().text();
    EXPECT_NE(
        error.find(path_ + " is locked and cannot be replaced: " + turn + " is no file of ours"),
        std::string::npos)
        << error;
    EXPECT_NE(error.find("remove it: `rm -r " + turn + "`"), std::string::npos) << error;
}

// The lock changes hands once, and one patience is too short for both owners.
TEST_F(LockFileTest, is_waited_for_anew_when_it_changes_hands) {
    auto first = take();
    ASSERT_TRUE(first.has_value()) << first.error().text();
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const pid_t second = ::fork();
    if (second == 0) {
        *first = LockFile();
        const int file = ::open(path_.c_str(), O_RDWR);
        const bool holds = ::flock(file, LOCK_EX) == 0 && ::write(ends[1], "y", 1) == 1;
        std::this_thread::sleep_for(1s);
        ::_exit(holds ? 0 : 1);
    }
    std::thread other([&] { EXPECT_TRUE(take(1900ms).has_value()); });
    std::this_thread::sleep_for(1s);
    *first = LockFile();
    other.join();
    ::waitpid(second, nullptr, 0);
    for (const int end : ends) ::close(end);
}

}  // namespace
}  // namespace sluice::pmd
