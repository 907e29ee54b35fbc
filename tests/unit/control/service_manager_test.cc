#include "control/service_manager.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace sluice::control {
namespace {

using namespace std::chrono_literals;

// A service manager that reads only when the test asks it to.
class Manager {
  public:
    explicit Manager(const std::string& name) : socket_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        name.copy(&address.sun_path[1], sizeof address.sun_path - 2);  // abstract
        const auto length =
            static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
        EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), length), 0);
        ::setenv("NOTIFY_SOCKET", ("@" + name).c_str(), 1);
    }
    ~Manager() {
        ::close(socket_);
        ::unsetenv("NOTIFY_SOCKET");
        ::unsetenv("WATCHDOG_USEC");
    }
    // The next message; empty: there is none.
    std::string read() {
        std::array<char, 100> room{};
        const ssize_t got = ::recv(socket_, room.data(), room.size(), MSG_DONTWAIT);
        return got < 0 ? "" : std::string(room.data(), static_cast<std::size_t>(got));
    }

  private:
    int socket_;
};

TEST(ServiceManager, is_told) {
    Manager manager("sluice-test-told");
    Loop loop;
    ServiceManager ours(loop);
    ours.report("READY=1");
    ours.report("STOPPING=1");
    EXPECT_EQ(manager.read(), "READY=1");
    EXPECT_EQ(manager.read(), "STOPPING=1");
}

// With the kernel's usual buffer some ten messages find room.
TEST(ServiceManager, is_not_waited_for_and_gets_the_last_state_once_it_reads) {
    Manager manager("sluice-test-hung");
    Loop loop;
    ServiceManager ours(loop);
    for (int turn = 0; turn < 1000; ++turn) ours.report("RELOADING=1");
    ours.report("READY=1");
    std::string last;
    for (int turn = 0; turn < 5000 && last != "READY=1"; ++turn) {
        for (std::string now = manager.read(); !now.empty(); now = manager.read()) last = now;
        loop.run_once(10ms);
    }
    EXPECT_EQ(last, "READY=1");
    EXPECT_EQ(manager.read(), "") << "once";
}

TEST(ServiceManager, gets_pings_where_it_wants_them) {
    Manager manager("sluice-test-pings");
    ::setenv("WATCHDOG_USEC", "20000", 1);
    Loop loop;
    ServiceManager ours(loop);
    ours.ping_watchdog();
    std::string read;
    for (int turn = 0; turn < 5000 && read.empty(); ++turn) {
        loop.run_once(10ms);
        read = manager.read();
    }
    EXPECT_EQ(read, "WATCHDOG=1");
}

TEST(ServiceManager, where_there_is_none_nothing_is_done) {
    ::unsetenv("NOTIFY_SOCKET");
    Loop loop;
    ServiceManager ours(loop);
    ours.report("READY=1");
    ours.ping_watchdog();
}

}  // namespace
}  // namespace sluice::control
