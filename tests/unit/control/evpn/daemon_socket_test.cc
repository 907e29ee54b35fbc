#include "control/evpn/daemon_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
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

TEST(EvpnDaemonSocket, SaysWhetherADaemonBeganAndIsThere) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("evpn" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    const std::string path = folder / "api";
    DaemonSocket daemon(path);
    EXPECT_FALSE(daemon.is_new());
    EXPECT_FALSE(daemon.is_held());
    int socket = listen_at(path);
    EXPECT_TRUE(daemon.is_new());
    EXPECT_FALSE(daemon.is_new());
    EXPECT_TRUE(daemon.is_held());
    EXPECT_FALSE(DaemonSocket(folder / "ap").is_held());
    ::close(socket);  // as one that is killed
    EXPECT_FALSE(daemon.is_held());
    EXPECT_FALSE(daemon.is_new());
    std::filesystem::remove(path);
    socket = listen_at(path);
    EXPECT_TRUE(daemon.is_new());
    EXPECT_TRUE(daemon.is_held());
    EXPECT_EQ(daemon.why_unseen(), "");
    ::close(socket);
    std::filesystem::remove_all(folder);
    EXPECT_NE(DaemonSocket(std::string(5000, 'x')).why_unseen(), "");
}

}  // namespace
}  // namespace sluice::control::evpn
