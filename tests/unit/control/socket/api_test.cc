#include "control/socket/api.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sluice::control {
namespace {

using namespace std::chrono_literals;

void echo(std::string_view line, const Reply& reply) { reply(std::string(line)); }

class ApiTest : public testing::Test {
  protected:
    void SetUp() override {
        std::array<char, 32> pattern{"/tmp/sluice_api_XXXXXX"};
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        directory_ = pattern.data();
        path_ = directory_ + "/run/sluice.sock";
    }
    void TearDown() override {
        for (const int socket : clients_) close(socket);
        std::filesystem::remove_all(directory_);
    }

    int dial() {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path_.copy(address.sun_path, sizeof address.sun_path - 1);
        const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        EXPECT_EQ(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        clients_.push_back(client);
        return client;
    }
    void turn() {
        for (int n = 0; n < 4; ++n) loop_.run_once(1ms);
    }
    static std::string read(int client) {
        std::array<char, 4096> octets;
        const ssize_t got = recv(client, octets.data(), octets.size(), 0);
        return got < 0 ? "" : std::string(octets.data(), static_cast<std::size_t>(got));
    }
    std::string ask(int client, const std::string& line) {
        EXPECT_EQ(send(client, line.data(), line.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(line.size()));
        turn();
        return read(client);
    }

    std::string directory_;
    std::string path_;
    std::vector<int> clients_;
    Loop loop_;
};

TEST_F(ApiTest, answers_each_of_its_clients) {
    const auto api = Api::listen(loop_, path_, echo);
    ASSERT_TRUE(api) << api.error();
    const int one = dial();
    const int other = dial();
    turn();
    EXPECT_EQ(ask(other, "b\n"), "b\n");
    EXPECT_EQ(ask(one, "a\n"), "a\n");
}

TEST_F(ApiTest, others_are_answered_while_one_waits_for_its_reply) {
    std::vector<Reply> late;
    const auto api = Api::listen(loop_, path_, [&](std::string_view line, const Reply& reply) {
        if (line == "later") return late.push_back(reply);
        echo(line, reply);
    });
    ASSERT_TRUE(api) << api.error();
    const int one = dial();
    const int gone = dial();
    turn();
    EXPECT_EQ(ask(one, "later\nb\n"), "");
    EXPECT_EQ(ask(gone, "later\n"), "");
    EXPECT_EQ(ask(dial(), "a\n"), "a\n");
    shutdown(gone, SHUT_RDWR);
    ASSERT_EQ(late.size(), 2U);
    for (const Reply& reply : late) reply("late");
    turn();
    EXPECT_EQ(read(one), "late\nb\n");
}

TEST_F(ApiTest, makes_its_directory_and_lets_only_owner_and_group_in) {
    auto api = Api::listen(loop_, path_, echo);
    ASSERT_TRUE(api) << api.error();
    struct stat status {};
    ASSERT_EQ(stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0660);
    api->reset();
    EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(ApiTest, with_readers_lets_all_connect_and_its_owner_do_everything) {
    const auto api = Api::listen(
        loop_, path_, echo, [] { return false; }, "4711");
    ASSERT_TRUE(api) << api.error();
    struct stat status {};
    ASSERT_EQ(stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0666);
    const int client = dial();
    turn();
    EXPECT_EQ(ask(client, "{\"flush\": \"fdb\"}\n"), "{\"flush\": \"fdb\"}\n");
}

TEST_F(ApiTest, of_readers_that_are_no_group_says_so_before_it_takes_the_path) {
    const auto api = Api::listen(
        loop_, path_, echo, [] { return false; }, "no-such-group");
    ASSERT_FALSE(api);
    EXPECT_EQ(api.error().rfind("control.readers: there is no group no-such-group; ", 0), 0);
    EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(ApiTest, replaces_a_socket_that_nobody_answers_on) {
    std::filesystem::create_directories(directory_ + "/run");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof address.sun_path - 1);
    const int dead = socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    close(dead);
    ASSERT_TRUE(std::filesystem::exists(path_));
    EXPECT_TRUE(Api::listen(loop_, path_, echo));
}

TEST_F(ApiTest, leaves_a_socket_that_somebody_answers_on) {
    const auto first = Api::listen(loop_, path_, echo);
    const auto second = Api::listen(loop_, path_, echo);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error(), "control.socket: " + path_ +
                                  ": another sluiced answers there; "
                                  "stop it, or give this one another path");
    const int client = dial();
    turn();
    EXPECT_EQ(ask(client, "a\n"), "a\n");
}

TEST_F(ApiTest, leaves_the_socket_of_its_successor) {
    auto first = Api::listen(loop_, path_, echo);
    ASSERT_TRUE(first) << first.error();
    std::filesystem::remove(path_);
    const auto second = Api::listen(loop_, path_, echo);
    ASSERT_TRUE(second) << second.error();
    first->reset();
    const int client = dial();
    turn();
    EXPECT_EQ(ask(client, "a\n"), "a\n");
}

TEST_F(ApiTest, leaves_a_file_that_is_no_socket) {
    std::filesystem::create_directories(directory_ + "/run");
    std::ofstream(path_) << "precious";
    ASSERT_FALSE(Api::listen(loop_, path_, echo));
    EXPECT_EQ(std::filesystem::file_size(path_), 8);
}

TEST_F(ApiTest, says_why_it_cannot_listen) {
    path_ = "/proc/nowhere/sluice.sock";
    const auto api = Api::listen(loop_, path_, echo);
    ASSERT_FALSE(api);
    EXPECT_EQ(api.error().rfind("control.socket: /proc/nowhere/sluice.sock: ", 0), 0)
        << api.error();
}

TEST_F(ApiTest, one_client_too_many_gets_an_error_and_has_its_turn_later) {
    const auto api = Api::listen(loop_, path_, echo);
    for (std::size_t n = 0; n < Api::most_clients; ++n) {
        dial();
        turn();
    }
    const int surplus = dial();
    turn();
    EXPECT_EQ(read(surplus).rfind(R"({"status":1,"errors":["sluiced: serves 16 clients)", 0), 0);
    EXPECT_EQ(ask(clients_[0], "still\n"), "still\n");

    close(clients_[0]);
    clients_.erase(clients_.begin());
    turn();
    const int next = dial();
    turn();
    EXPECT_EQ(ask(next, "now\n"), "now\n");
}

TEST_F(ApiTest, a_client_that_does_not_read_keeps_nobody_waiting) {
    const std::string much(8 * 1024 * 1024, 'x');
    const auto api = Api::listen(loop_, path_, [&](std::string_view line, const Reply& reply) {
        reply(line == "much" ? much : std::string(line));
    });
    const int lazy = dial();
    const int eager = dial();
    turn();
    ASSERT_EQ(send(lazy, "much\n", 5, MSG_NOSIGNAL), 5);
    turn();
    EXPECT_EQ(ask(eager, "a\n"), "a\n");
}

}  // namespace
}  // namespace sluice::control
