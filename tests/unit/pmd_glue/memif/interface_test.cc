#include "pmd_glue/memif/interface.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {
namespace {

class MemifPort : public testing::Test {
  protected:
    void SetUp() override { std::filesystem::create_directories(folder_); }
    void TearDown() override {
        std::filesystem::remove_all(folder_);
        EXPECT_EQ(pool_->available(), pool_->size()) << "buffers were lost";
    }
    [[nodiscard]] std::string device(const std::string& more = "") const {
        return "memif:" + socket() + more;
    }
    [[nodiscard]] std::string socket() const { return folder_ / "m.sock"; }

    static bool until(const std::function<bool()>& holds) {
        using namespace std::chrono_literals;
        const auto limit = std::chrono::steady_clock::now() + 20s;
        while (!holds() && std::chrono::steady_clock::now() < limit) {
            std::this_thread::sleep_for(1ms);
        }
        return holds();
    }
    static bool are_up(Port& one, Port& other) {
        return until([&] { return one.link().up && other.link().up; });
    }
    std::size_t send(Port& port, std::size_t count, uint8_t first) {
        const auto frames = make_frames(*pool_, count, first);
        const std::size_t sent = port.bursts().transmit(frames);
        free_frames(*pool_, std::span(frames).subspan(sent));
        return sent;
    }

    std::unique_ptr<Pool> pool_ = make_pool();
    const std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("memif" + std::to_string(::getpid()));
};

TEST_F(MemifPort, CarriesBothWays) {
    const auto server = open_port(device(), *pool_);
    EXPECT_FALSE(server->link().up);
    EXPECT_EQ(send(*server, 3, 0), 0U) << "nobody is there";
    const auto client = open_port(device(",client"), *pool_);
    ASSERT_TRUE(are_up(*server, *client));
    EXPECT_EQ(send(*server, 3, 1), 3U);
    EXPECT_EQ(send(*client, 2, 7), 2U);
    EXPECT_EQ(receive_all(*client, *pool_), (std::vector{1, 2, 3}));
    EXPECT_EQ(receive_all(*server, *pool_), (std::vector{7, 8}));
}

TEST_F(MemifPort, AServerServesTheNextOne) {
    const auto server = open_port(device(), *pool_);
    for (uint8_t round = 0; round < 5; ++round) {
        const auto client = open_port(device(",client"), *pool_);
        ASSERT_TRUE(are_up(*server, *client)) << int{round};
        EXPECT_EQ(send(*client, 1, round), 1U);
        EXPECT_EQ(receive_all(*server, *pool_), std::vector{int{round}});
    }
    EXPECT_TRUE(until([&] { return !server->link().up; }));
    EXPECT_EQ(send(*server, 1, 0), 0U);
}

TEST_F(MemifPort, AClientComesBackToTheNextServer) {
    auto server = open_port(device(), *pool_);
    const auto client = open_port(device(",client"), *pool_);
    ASSERT_TRUE(are_up(*server, *client));
    server.reset();
    EXPECT_TRUE(until([&] { return !client->link().up; }));
    server = open_port(device(), *pool_);
    EXPECT_TRUE(are_up(*server, *client));
    EXPECT_EQ(send(*client, 4, 0), 4U);
    EXPECT_EQ(receive_all(*server, *pool_).size(), 4U);
}

TEST_F(MemifPort, SeveralShareASocket) {
    const auto first = open_port(device(), *pool_);
    const auto second = open_port(device(",id=5"), *pool_);
    EXPECT_EQ(open_error(device(",id=5"), *pool_).text(),
              device(",id=5") + ": another port has that socket and id; give it one with `,id=N`");
    const auto client = open_port(device(",client,id=5"), *pool_);
    ASSERT_TRUE(are_up(*second, *client));
    EXPECT_FALSE(first->link().up);
}

TEST_F(MemifPort, WhereNobodyListensAClientSaysSo) {
    EXPECT_EQ(open_error(device(",client"), *pool_).text(),
              device(",client") + ": no process listens on " + socket() +
                  " (No such file or directory); start the memif server there first, or make this "
                  "port the server with `,server`");
}

TEST_F(MemifPort, TheEndsMayHaveOtherNumbersOfQueues) {
    const auto server = open_port(device(",queues=4,spread"), *pool_);
    const auto client = open_port(device(",client,queues=2,spread"), *pool_);
    ASSERT_TRUE(are_up(*server, *client));
    std::size_t sent = 0;
    for (uint8_t first = 0; first < 100; first = static_cast<uint8_t>(first + 10)) {
        sent += send(*server, 10, first);
    }
    EXPECT_EQ(sent, 100U);
    EXPECT_EQ(receive_all(*client, *pool_).size(), 100U);
    EXPECT_EQ(send(*client, 20, 0), 20U);
    EXPECT_EQ(receive_all(*server, *pool_).size(), 20U);
}

TEST_F(MemifPort, AClientWithMoreRingsThanAreReceivedFromIsSentAway) {
    const auto server = open_port(device(",queues=2"), *pool_);
    const auto client = open_port(device(",client,queues=4,spread"), *pool_);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_FALSE(server->link().up);
    EXPECT_EQ(server->take_note(), "this end receives from at most 2 rings");
    EXPECT_EQ(client->take_note(), "the other end reports: this end receives from at most 2 rings");
    EXPECT_EQ(server->take_note(), std::nullopt) << "it was told of";
}

TEST_F(MemifPort, ASuccessorsSocketStays) {
    auto server = open_port(device(), *pool_);
    std::filesystem::remove(socket());
    const int other = ::socket(AF_UNIX, SOCK_SEQPACKET, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket().copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(other, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    server.reset();
    EXPECT_TRUE(std::filesystem::exists(socket()));
    ::close(other);
}

// A thread polls the memory at any moment while the other end comes and goes.
TEST_F(MemifPort, MayBePolledWhileTheOtherEndComesAndGoes) {
    const auto server = open_port(device(), *pool_);
    std::atomic<bool> goes_on{true};
    std::atomic<std::size_t> received{0};
    std::thread worker([&] {
        std::array<Frame, max_burst> burst;
        while (goes_on) {
            const std::size_t got = server->bursts().receive(burst);
            received += got;
            free_frames(*pool_, std::span(burst).first(got));
        }
    });
    for (int round = 0; round < 30; ++round) {
        const auto client = open_port(device(",client"), *pool_);
        ASSERT_TRUE(are_up(*server, *client));
        for (int burst = 0; burst < 50; ++burst) send(*client, 32, 0);
    }
    goes_on = false;
    worker.join();
    EXPECT_GT(received, 0U);
}

TEST_F(MemifPort, DpdksOwnDriverIsRefused) {
    EXPECT_EQ(open_error("vdev:net_memif0,role=server", *pool_).remedy, "write memif:SOCKET");
}

}  // namespace
}  // namespace sluice::pmd
