#include "control/socket/acceptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <vector>

namespace sluice::control {
namespace {

using namespace std::chrono_literals;

class AcceptorTest : public testing::Test {
  protected:
    void SetUp() override {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        ASSERT_EQ(::bind(listener_, address(), length_of_family), 0);  // the kernel chooses a name
        ASSERT_EQ(::getsockname(listener_, address(), &length_), 0);
        ASSERT_EQ(::listen(listener_, 8), 0);
    }
    void TearDown() override {
        for (const int descriptor : open_) ::close(descriptor);
        ::close(listener_);
        ::setrlimit(RLIMIT_NOFILE, &before_);
    }

    sockaddr* address() { return reinterpret_cast<sockaddr*>(&address_); }
    int connected() {
        const int client = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        EXPECT_EQ(::connect(client, address(), length_), 0);
        open_.push_back(client);
        return client;
    }
    static int next_descriptor() {
        const int next = ::dup(STDERR_FILENO);
        ::close(next);
        return next;
    }
    // Leaves so many file descriptors free.
    void leave(int descriptors) {
        ::setrlimit(RLIMIT_NOFILE, &before_);
        rlimit limit = before_;
        limit.rlim_cur = static_cast<rlim_t>(next_descriptor() + descriptors);
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
    }
    Acceptor::Hooks hooks() {
        return {.came = [this](int socket) { open_.push_back(socket), ++came; },
                .turn_away = [this](int) { ++turned_away; },
                .make_room =
                    [this] {
                        if (idle.empty()) return false;
                        ::close(idle.back());
                        idle.pop_back();
                        return true;
                    }};
    }

    Loop loop;
    Loop::SourcePointer timer = loop.every(1h, [] {});  // as a daemon has, for a descriptor
    std::vector<int> idle;                              // connections that can be closed
    int came = 0;
    int turned_away = 0;

  private:
    static constexpr socklen_t length_of_family = sizeof(sa_family_t);
    int listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_un address_{.sun_family = AF_UNIX, .sun_path = {}};
    socklen_t length_ = sizeof address_;
    std::vector<int> open_;
    rlimit before_{};

  protected:
    [[nodiscard]] int listener() const { return listener_; }
};

TEST_F(AcceptorTest, takes_who_comes) {
    const Acceptor acceptor(loop, listener(), 4, hooks());
    connected();
    loop.run_once(1s);
    EXPECT_EQ(came, 1);
    EXPECT_EQ(turned_away, 0);
}

TEST_F(AcceptorTest, closes_what_is_idle_where_no_descriptor_is_left) {
    const Acceptor acceptor(loop, listener(), 0, hooks());
    connected();
    idle.push_back(::dup(STDERR_FILENO));
    leave(0);
    loop.run_once(1s);
    EXPECT_EQ(came, 1);
    EXPECT_TRUE(idle.empty());
}

TEST_F(AcceptorTest, turns_away_who_finds_nothing_to_close_and_does_not_spin) {
    const Acceptor acceptor(loop, listener(), 0, hooks());
    connected();
    connected();
    leave(0);
    loop.run_once(1s);
    loop.run_once(1s);
    EXPECT_EQ(turned_away, 2);
    loop.run_once(0us);
    EXPECT_EQ(turned_away, 2);
    EXPECT_EQ(came, 0);
}

// A kernel without memory: the error lasts for a while, and the socket is ready all the time.
TEST_F(AcceptorTest, does_not_spin_at_what_never_accepts) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
    ASSERT_EQ(::write(ends[1], "x", 1), 1);
    {
        const Acceptor acceptor(loop, ends[0], 0, hooks());
        loop.run_once(1s);
        const auto before = std::chrono::steady_clock::now();
        loop.run_once(1s);
        EXPECT_GE(std::chrono::steady_clock::now() - before, Acceptor::rest / 2);
    }
    EXPECT_EQ(came + turned_away, 0);
    for (const int end : ends) ::close(end);
}

TEST_F(AcceptorTest, rests_where_its_own_descriptor_is_gone_as_well) {
    leave(0);
    const Acceptor acceptor(loop, listener(), 0, hooks());  // has none
    leave(1);
    connected();  // takes it
    loop.run_once(1s);
    loop.run_once(0us);
    EXPECT_EQ(came + turned_away, 0);
    leave(8);
    for (int turn = 0; turn < 5000 && came == 0; ++turn) loop.run_once(10ms);
    EXPECT_EQ(came, 1);
}

TEST_F(AcceptorTest, leaves_a_reserve_to_others) {
    const Acceptor acceptor(loop, listener(), 4, hooks());
    for (int client = 0; client < 3; ++client) connected();
    idle.push_back(::dup(STDERR_FILENO));
    leave(4);
    loop.run_once(1s);
    EXPECT_EQ(came, 1);
    EXPECT_TRUE(idle.empty());
    loop.run_once(1s);
    EXPECT_EQ(came, 2) << "by the descriptor of what was idle";
    loop.run_once(1s);
    EXPECT_EQ(turned_away, 1);
}

}  // namespace
}  // namespace sluice::control
