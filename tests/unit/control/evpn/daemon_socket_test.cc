#include "control/evpn/daemon_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>

namespace sluice::control::evpn {
namespace {

// A daemon's, until it is closed; the file stays.
int listen_at(const std::string& path) {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(socket, 1), 0);
    return socket;
}

constexpr Nanos now{1'000'000'000'000};

struct EvpnDaemonSocket : testing::Test {
    EvpnDaemonSocket() { std::filesystem::create_directory(folder); }
    ~EvpnDaemonSocket() override { std::filesystem::remove_all(folder); }
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("evpn" + std::to_string(::getpid()));
    const std::string path = folder / "api";
};

TEST_F(EvpnDaemonSocket, SaysWhetherADaemonBeganAndIsThere) {
    DaemonSocket daemon(path, now);
    EXPECT_FALSE(daemon.is_new(now));
    EXPECT_FALSE(daemon.is_held());
    EXPECT_FALSE(daemon.began().has_value());
    int socket = listen_at(path);
    EXPECT_TRUE(daemon.is_new(now));
    EXPECT_FALSE(daemon.is_new(now));
    EXPECT_TRUE(daemon.is_held());
    EXPECT_FALSE(DaemonSocket(folder / "ap", now).is_held());
    ::close(socket);  // as one that is killed
    EXPECT_FALSE(daemon.is_held());
    EXPECT_FALSE(daemon.is_new(now));
    std::filesystem::remove(path);
    socket = listen_at(path);
    EXPECT_TRUE(daemon.is_new(now));
    EXPECT_TRUE(daemon.is_held());
    EXPECT_EQ(daemon.why_unseen(), "");
    ::close(socket);
    EXPECT_NE(DaemonSocket(std::string(5000, 'x'), now).why_unseen(), "");
}

TEST_F(EvpnDaemonSocket, WhatIsDoneToItsFileLaterIsNoRestart) {
    const int socket = listen_at(path);
    DaemonSocket daemon(path, now);
    const auto began = daemon.began();
    ASSERT_TRUE(began.has_value());
    EXPECT_LE(*began, now);
    EXPECT_GT(*began, now - Nanos(60'000'000'000));
    EXPECT_EQ(::chmod(path.c_str(), 0777), 0);
    std::filesystem::create_hard_link(path, folder / "link");
    EXPECT_FALSE(daemon.is_new(now + Nanos(1'000'000'000)));
    // An hour later, whatever the clock of the system has become, it began when it did.
    EXPECT_FALSE(daemon.is_new(now + Nanos(3'600'000'000'000)));
    EXPECT_EQ(daemon.began(), began);
    ::close(socket);
}

TEST_F(EvpnDaemonSocket, IsNoYoungerThanWhatIsSeenOfIt) {
    const int socket = listen_at(path);
    // Somebody's clock was ahead: a birth in the future says nothing, where it is all there is.
    const timespec ahead[2] = {{.tv_sec = 4'000'000'000, .tv_nsec = 0},
                               {.tv_sec = 4'000'000'000, .tv_nsec = 0}};
    EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), ahead, 0), 0);
    const DaemonSocket daemon(path, now);
    EXPECT_LE(daemon.began().value_or(now), now);
    ::close(socket);
}

}  // namespace
}  // namespace sluice::control::evpn
