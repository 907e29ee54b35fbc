#include "pmd_glue/receive_sockets.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>
#include <array>
#include <chrono>

#include "pmd_glue/wakeup.h"

namespace sluice::pmd {
namespace {

constexpr Nanos a_minute{60'000'000'000};
constexpr Nanos a_moment{3'000'000};

struct SocketPair {
    SocketPair() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0); }
    ~SocketPair() {
        for (const int end : ends) ::close(end);
    }
    void send() const { EXPECT_EQ(::send(ends[1], "frame", 5, 0), 5); }

    std::array<int, 2> ends{};
};

// A socket whose peer is there no more.
struct FailingSocket {
    FailingSocket() : socket(::socket(AF_INET, SOCK_DGRAM, 0)) {
        const int peer = ::socket(AF_INET, SOCK_DGRAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        auto* const place = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(peer, place, length), 0);
        EXPECT_EQ(::getsockname(peer, place, &length), 0);
        EXPECT_EQ(::connect(socket, place, length), 0);
        ::close(peer);
    }
    ~FailingSocket() { ::close(socket); }
    void fail() const { EXPECT_EQ(::send(socket, "frame", 5, 0), 5); }

    int socket;
};

class ReceiveSocketsTest : public testing::Test {
  protected:
    Wakeup wakeup_;
    ReceiveSockets sockets_{wakeup_.descriptor()};
};

TEST_F(ReceiveSocketsTest, CannotWaitWithoutASocket) {
    EXPECT_FALSE(sockets_.can_wait());
    sockets_.use(Ports{});
    EXPECT_FALSE(sockets_.can_wait());
}

TEST_F(ReceiveSocketsTest, NorWhereControlCannotEndIt) {
    const SocketPair pair;
    ReceiveSockets sockets(-1);
    EXPECT_TRUE(sockets.add(pair.ends[0]));
    EXPECT_FALSE(sockets.can_wait());
}

TEST_F(ReceiveSocketsTest, AsLongAsNothingComesTheTimePasses) {
    const SocketPair pair;
    EXPECT_TRUE(sockets_.add(pair.ends[0]));
    EXPECT_TRUE(sockets_.can_wait());
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(sockets_.wait(a_moment), ReceiveSockets::End::time);
    EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(3));
}

TEST_F(ReceiveSocketsTest, AFrameAtAnyOfThemEndsTheWait) {
    const SocketPair quiet;
    const SocketPair other;
    sockets_.add(quiet.ends[0]);
    sockets_.add(other.ends[0]);
    other.send();
    EXPECT_EQ(sockets_.wait(a_minute), ReceiveSockets::End::arrival);
}

TEST_F(ReceiveSocketsTest, AFailureEndsOneWait) {
    const FailingSocket failing;
    sockets_.add(failing.socket);
    failing.fail();
    EXPECT_EQ(sockets_.wait(a_minute), ReceiveSockets::End::arrival);
    EXPECT_EQ(sockets_.wait(a_moment), ReceiveSockets::End::time);
    failing.fail();
    EXPECT_EQ(sockets_.wait(a_minute), ReceiveSockets::End::arrival);
}

TEST_F(ReceiveSocketsTest, SoDoesControl) {
    const SocketPair pair;
    sockets_.add(pair.ends[0]);
    wakeup_.announce_sleep();
    wakeup_.wake();
    EXPECT_EQ(sockets_.wait(a_minute), ReceiveSockets::End::woken);
}

TEST_F(ReceiveSocketsTest, ThereIsAnEndToThem) {
    const SocketPair pair;
    int added = 0;
    while (added < 1000 && sockets_.add(pair.ends[0])) ++added;
    EXPECT_EQ(added, 128);
}

}  // namespace
}  // namespace sluice::pmd
