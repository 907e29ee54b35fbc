#include "control/http/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <vector>

namespace sluice::control::http {
namespace {

using namespace std::chrono_literals;

// Sends one number after another, each in a piece of its own.
class Counting : public Feed {
  public:
    std::string next(Clock::time_point) override {
        ++asked;
        return "piece " + std::to_string(asked) + '\n' + std::string(padding, '.');
    }
    static inline int asked = 0;
    static inline std::size_t padding = 0;
};

Response answer(const Request& request) {
    if (request.path == "/feed") return {.feed = std::make_unique<Counting>()};
    if (request.path == "/long") return {.body = body_of(std::string(8 << 20, 'x'))};
    return {.body = body_of(request.path)};
}

class HttpServerTest : public testing::Test {
  protected:
    void SetUp() override {
        Counting::asked = 0;
        Counting::padding = 0;
        // A port that nobody has: the kernel chooses one.
        const int probe = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in any{};
        any.sin_family = AF_INET;
        any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof any;
        ASSERT_EQ(bind(probe, reinterpret_cast<sockaddr*>(&any), sizeof any), 0);
        ASSERT_EQ(getsockname(probe, reinterpret_cast<sockaddr*>(&any), &length), 0);
        close(probe);
        endpoint_ = {{127, 0, 0, 1}, ntohs(any.sin_port)};
        auto server = Server::listen(loop_, endpoint_, answer);
        ASSERT_TRUE(server) << server.error();
        server_ = std::move(*server);
    }
    void TearDown() override {
        for (const int client : clients_) close(client);
    }

    int dial() {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(endpoint_.port);
        const int client = socket(AF_INET, SOCK_STREAM, 0);
        EXPECT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        clients_.push_back(client);
        return client;
    }
    void turn(int times = 8) {
        for (int n = 0; n < times; ++n) loop_.run_once(2ms);
    }
    void send_to(int client, std::string_view text) {
        ASSERT_EQ(send(client, text.data(), text.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(text.size()));
    }
    static std::string read(int client) {
        std::string all;
        std::array<char, 65536> octets;
        for (;;) {
            const ssize_t got = recv(client, octets.data(), octets.size(), MSG_DONTWAIT);
            if (got == 0) return all + "[end]";
            if (got < 0) return all;
            all.append(octets.data(), static_cast<std::size_t>(got));
        }
    }
    std::string ask(int client, std::string_view text) {
        send_to(client, text);
        turn();
        return read(client);
    }

    Loop loop_;
    config::Endpoint endpoint_;
    std::unique_ptr<Server> server_;
    std::vector<int> clients_;
};

bool ends_with(const std::string& text, const std::string& end) { return text.ends_with(end); }

TEST_F(HttpServerTest, answers_each_of_its_clients_and_keeps_them) {
    const int one = dial();
    const int other = dial();
    turn();
    const std::string said = ask(other, "GET /b HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_TRUE(said.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/plain")) << said;
    EXPECT_NE(said.find("\r\nContent-Length: 2\r\n"), std::string::npos) << said;
    EXPECT_TRUE(ends_with(said, "\r\n\r\n/b")) << said;
    EXPECT_TRUE(ends_with(ask(one, "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"), "/a"));
    EXPECT_TRUE(ends_with(ask(other, "GET /c HTTP/1.1\r\nHost: a\r\n\r\n"), "/c"));
}

TEST_F(HttpServerTest, takes_requests_in_pieces_and_several_at_once) {
    const int client = dial();
    EXPECT_EQ(ask(client, "GET /a HT"), "");
    EXPECT_EQ(ask(client, "TP/1.1\r\nHost: a\r\n"), "");
    EXPECT_TRUE(ends_with(ask(client, "\r\n"), "/a"));
    std::string three;
    for (const char* path : {"/x", "/y", "/z"}) {
        three += std::string("GET ") + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }
    const std::string said = ask(client, three);
    EXPECT_NE(said.find("/x"), std::string::npos);
    EXPECT_NE(said.find("/y"), std::string::npos);
    EXPECT_TRUE(ends_with(said, "/z"));
}

TEST_F(HttpServerTest, ends_where_the_client_asked_for_it_or_was_refused) {
    EXPECT_TRUE(ends_with(ask(dial(), "GET /a HTTP/1.0\r\n\r\n"), "/a[end]"));
    EXPECT_TRUE(ask(dial(), "POST / HTTP/1.1\r\nHost: a\r\n\r\n").starts_with("HTTP/1.1 405 "));
    const std::string long_one = ask(dial(), "GET /" + std::string(longest_head, 'a'));
    EXPECT_TRUE(long_one.starts_with("HTTP/1.1 431 ")) << long_one;
    EXPECT_TRUE(ends_with(long_one, "[end]"));
}

TEST_F(HttpServerTest, has_no_body_for_head) {
    const std::string said = ask(dial(), "HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_NE(said.find("Content-Length: 2\r\n"), std::string::npos);
    EXPECT_TRUE(ends_with(said, "\r\n\r\n"));
}

TEST_F(HttpServerTest, feeds_who_reads) {
    const int client = dial();
    std::string said = ask(client, "GET /feed HTTP/1.1\r\nHost: a\r\n\r\n");
    for (int n = 0; n < 500 && said.find("piece 3") == std::string::npos; ++n) {
        turn(1);
        said += read(client);
    }
    EXPECT_EQ(said.find("Content-Length"), std::string::npos);
    EXPECT_NE(said.find("piece 1\npiece 2\npiece 3\n"), std::string::npos) << said;
}

TEST_F(HttpServerTest, keeps_one_piece_for_who_does_not_read_and_serves_the_others) {
    Counting::padding = 8 << 20;
    send_to(dial(), "GET /feed HTTP/1.1\r\nHost: a\r\n\r\n");
    turn(100);
    EXPECT_LE(Counting::asked, 2);
    EXPECT_TRUE(ends_with(ask(dial(), "GET /b HTTP/1.1\r\nHost: a\r\n\r\n"), "/b"));
}

TEST_F(HttpServerTest, disconnects_idle_clients_and_nobody_else) {
    server_.reset();
    server_ = *Server::listen(loop_, endpoint_, answer, 500ms);
    Counting::padding = 8 << 20;
    const int stuck = dial();
    send_to(stuck, "GET /feed HTTP/1.1\r\nHost: a\r\n\r\n");
    const int never_done = dial();
    const int reader = dial();
    send_to(reader, "GET /feed HTTP/1.1\r\nHost: a\r\n\r\n");
    const auto deadline = Clock::now() + 20s;
    while (server_->clients() != 1 && Clock::now() < deadline) {
        send(never_done, "G", 1, MSG_NOSIGNAL);
        read(reader);
        turn(1);
    }
    EXPECT_EQ(server_->clients(), 1U);
    turn();
    EXPECT_NE(read(reader), "");
}

TEST_F(HttpServerTest, forgets_who_went) {
    const int client = dial();
    ask(client, "GET /feed HTTP/1.1\r\nHost: a\r\n\r\n");
    send_to(dial(), "GET /long HTTP/1.1\r\nHost: a\r\n\r\n");
    turn();
    EXPECT_EQ(server_->clients(), 2U);
    for (const int each : clients_) close(each);
    clients_.clear();
    turn(200);
    EXPECT_EQ(server_->clients(), 0U);
}

TEST_F(HttpServerTest, who_asks_for_nothing_keeps_nobody_out) {
    const int feed = dial();
    send_to(feed, "GET /feed HTTP/1.1\r\nHost: a\r\n\r\n");
    const int regular = dial();
    EXPECT_TRUE(ends_with(ask(regular, "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"), "/a"));
    std::vector<int> silent;
    while (silent.size() < 2 * Server::most_clients) {
        silent.push_back(dial());
        turn(2);
    }
    EXPECT_EQ(server_->clients(), Server::most_clients);
    EXPECT_TRUE(ends_with(ask(dial(), "GET /b HTTP/1.1\r\nHost: a\r\n\r\n"), "/b"));
    EXPECT_EQ(read(silent.front()), "[end]") << "the oldest that asked for nothing";
    EXPECT_EQ(read(silent.back()), "");
    EXPECT_TRUE(ends_with(ask(regular, "GET /c HTTP/1.1\r\nHost: a\r\n\r\n"), "/c"));
    EXPECT_FALSE(ends_with(read(feed), "[end]"));
}

TEST_F(HttpServerTest, serves_so_many_and_refuses_the_next) {
    for (std::size_t n = 0; n < Server::most_clients; ++n) {
        send_to(dial(), "GET /feed HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    turn(200);
    EXPECT_EQ(server_->clients(), Server::most_clients);
    const int late = dial();
    turn();
    EXPECT_TRUE(read(late).starts_with("HTTP/1.1 503 "));
    close(clients_.front());
    clients_.erase(clients_.begin());
    turn();
    EXPECT_TRUE(ends_with(ask(dial(), "GET /b HTTP/1.1\r\nHost: a\r\n\r\n"), "/b"));
}

TEST_F(HttpServerTest, says_why_it_cannot_listen) {
    const auto second = Server::listen(loop_, endpoint_, answer);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error(),
              "metrics.listen: " + config::to_text(endpoint_) +
                  ": Address already in use; an address of this machine, and a free port");
}

}  // namespace
}  // namespace sluice::control::http
