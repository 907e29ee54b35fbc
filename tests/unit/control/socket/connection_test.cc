#include "control/socket/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace sluice::control {
namespace {

// Sends the text that it is given; when it has to finish, sends "." and ends.
class Letters : public Feed {
  public:
    std::string next(Clock::time_point) override {
        std::string said = std::exchange(to_say, {});
        over_ = finished_;
        return over_ ? said + "." : said;
    }
    [[nodiscard]] bool is_over() const override { return over_; }
    void finish() override { finished_ = true; }

    std::string to_say;

  private:
    bool finished_ = false;
    bool over_ = false;
};

// A client at the other end of a Connection that returns each request in brackets.
class ConnectionTest : public testing::Test {
  protected:
    void SetUp() override {
        std::array<int, 2> ends{};
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
        client_ = ends[0];
        fcntl(client_, F_SETFL, O_NONBLOCK);
        connection_ = std::make_unique<Connection>(ends[1], answer_, [this] { ++replied_; });
    }
    void TearDown() override {
        if (client_ >= 0) close(client_);
    }

    std::size_t write(std::string_view text) const {
        const ssize_t put = send(client_, text.data(), text.size(), MSG_NOSIGNAL);
        return put < 0 ? 0 : static_cast<std::size_t>(put);
    }
    [[nodiscard]] std::string read() const {
        std::string text;
        std::array<char, 4096> octets;
        for (ssize_t got = 0; (got = recv(client_, octets.data(), octets.size(), 0)) > 0;) {
            text.append(octets.data(), static_cast<std::size_t>(got));
        }
        return text;
    }

    int client_ = -1;
    std::vector<std::string> asked_;
    std::string reply_;  // else an echo
    Reply late_;         // to a request that begins with "later"
    int replied_ = 0;
    Letters* feed_ = nullptr;  // that was asked for
    const Answer answer_ = [this](std::string_view line, const Reply& reply) {
        asked_.emplace_back(line);
        if (line.starts_with("later")) {
            late_ = reply;
        } else if (line == "feed") {
            auto feed = std::make_unique<Letters>();
            feed_ = feed.get();
            reply("[feed]", std::move(feed));
        } else {
            reply(reply_.empty() ? fmt::format("[{}]", line) : reply_);
        }
    };
    std::unique_ptr<Connection> connection_;
};

TEST_F(ConnectionTest, answers_a_line_with_a_line) {
    write("one\n");
    EXPECT_TRUE(connection_->proceed());
    EXPECT_EQ(read(), "[one]\n");
    EXPECT_TRUE(connection_->wants_to_read());
    EXPECT_FALSE(connection_->wants_to_write());
}

TEST_F(ConnectionTest, waits_for_the_rest_of_a_line) {
    write("o");
    EXPECT_TRUE(connection_->proceed());
    EXPECT_EQ(read(), "");
    EXPECT_TRUE(connection_->wants_to_read());
    write("ne\n");
    EXPECT_TRUE(connection_->proceed());
    EXPECT_EQ(read(), "[one]\n");
}

TEST_F(ConnectionTest, answers_one_request_each_time_it_proceeds) {
    write("one\n\n  \ntwo\n");
    EXPECT_TRUE(connection_->proceed());
    EXPECT_EQ(read(), "[one]\n");
    EXPECT_TRUE(connection_->wants_to_write());
    for (int empty_lines = 0; empty_lines < 2; ++empty_lines) EXPECT_TRUE(connection_->proceed());
    EXPECT_TRUE(connection_->proceed());
    EXPECT_EQ(read(), "[two]\n");
    EXPECT_FALSE(connection_->wants_to_write());
}

TEST_F(ConnectionTest, answers_what_came_before_the_peer_ended) {
    write("one\ntwo");
    shutdown(client_, SHUT_WR);
    while (connection_->proceed()) {
    }
    EXPECT_EQ(read(), "[one]\n[two]\n");
}

TEST_F(ConnectionTest, is_over_when_the_peer_goes) {
    close(client_);
    client_ = -1;
    EXPECT_FALSE(connection_->proceed());
}

TEST_F(ConnectionTest, is_over_when_the_peer_goes_with_a_reply_under_way) {
    reply_ = std::string(8 * 1024 * 1024, 'x');
    write("one\n");
    EXPECT_TRUE(connection_->proceed());
    EXPECT_TRUE(connection_->wants_to_write());
    close(client_);
    client_ = -1;
    EXPECT_FALSE(connection_->proceed());
}

TEST_F(ConnectionTest, a_slow_reader_is_not_read_from_and_gets_it_all) {
    reply_ = std::string(8 * 1024 * 1024, 'x');
    write("one\ntwo\n");
    EXPECT_TRUE(connection_->proceed());
    EXPECT_FALSE(connection_->wants_to_read());
    const uint64_t stuck = connection_->progress();
    EXPECT_TRUE(connection_->proceed());
    EXPECT_EQ(connection_->progress(), stuck);
    EXPECT_EQ(asked_.size(), 1);

    std::string got;
    while (got.size() < reply_.size() + 1) {
        got += read();
        ASSERT_TRUE(connection_->proceed());
    }
    EXPECT_EQ(asked_.size(), 2);
}

TEST_F(ConnectionTest, a_line_without_end_is_refused_and_hung_up_on) {
    const std::string piece(16 * 1024, 'x');
    bool goes_on = true;
    for (std::size_t sent = 0; sent < 2 * Connection::longest_request && goes_on;) {
        sent += write(piece);
        goes_on = connection_->proceed();
    }
    EXPECT_FALSE(goes_on);
    EXPECT_TRUE(asked_.empty());
    EXPECT_EQ(read(),
              R"({"status":2,"errors":["request: longer than 2162688 octets; a shorter one"]})"
              "\n");
}

TEST_F(ConnectionTest, the_longest_request_is_answered) {
    const std::string line(Connection::longest_request, 'x');
    for (std::size_t sent = 0; sent < line.size();) {
        sent += write(std::string_view(line).substr(sent));
        EXPECT_TRUE(connection_->proceed());
    }
    write("\n");
    while (asked_.empty()) ASSERT_TRUE(connection_->proceed());
    EXPECT_EQ(asked_[0], line);
}

TEST_F(ConnectionTest, answers_in_its_own_time_and_in_order) {
    write("later\ntwo\n");
    EXPECT_TRUE(connection_->proceed());
    EXPECT_TRUE(connection_->awaits_reply());
    EXPECT_FALSE(connection_->wants_to_read() || connection_->wants_to_write());
    EXPECT_TRUE(connection_->proceed());
    EXPECT_EQ(asked_.size(), 1U);
    EXPECT_EQ(read(), "");

    late_("[late]");
    EXPECT_EQ(replied_, 1);
    late_("[twice]");
    EXPECT_TRUE(connection_->wants_to_write());
    while (connection_->wants_to_write()) ASSERT_TRUE(connection_->proceed());
    EXPECT_EQ(read(), "[late]\n[two]\n");
    EXPECT_EQ(replied_, 1);
}

TEST_F(ConnectionTest, waits_for_the_answer_to_the_last_line) {
    write("later");
    shutdown(client_, SHUT_WR);
    while (!connection_->awaits_reply()) ASSERT_TRUE(connection_->proceed());
    EXPECT_TRUE(connection_->proceed());
    late_("[late]");
    EXPECT_FALSE(connection_->proceed());
    EXPECT_EQ(read(), "[late]\n");
}

TEST_F(ConnectionTest, a_feed_follows_its_reply_until_the_client_wants_no_more) {
    write("feed\n");
    EXPECT_TRUE(connection_->proceed());
    EXPECT_TRUE(connection_->has_feed());
    EXPECT_EQ(read(), "[feed]\n");
    feed_->to_say = "ab";
    EXPECT_TRUE(connection_->proceed());
    EXPECT_EQ(read(), "ab");
    EXPECT_FALSE(connection_->wants_to_write());
    EXPECT_TRUE(connection_->wants_to_read());
    feed_->to_say = "c";
    shutdown(client_, SHUT_WR);
    EXPECT_FALSE(connection_->proceed());
    EXPECT_EQ(read(), "c.");
}

TEST_F(ConnectionTest, what_a_client_sends_ends_its_feed) {
    write("feed\n");
    EXPECT_TRUE(connection_->proceed());
    write("one\n");
    EXPECT_FALSE(connection_->proceed());
    EXPECT_EQ(read(), "[feed]\n.");
    EXPECT_EQ(asked_.size(), 1U);
}

TEST_F(ConnectionTest, a_feed_is_asked_for_more_once_the_last_piece_was_taken) {
    write("feed\n");
    EXPECT_TRUE(connection_->proceed());
    feed_->to_say = std::string(8 * 1024 * 1024, 'x');
    EXPECT_TRUE(connection_->proceed());
    EXPECT_TRUE(connection_->wants_to_write());
    feed_->to_say = "y";
    EXPECT_TRUE(connection_->proceed());
    EXPECT_EQ(feed_->to_say, "y");
    std::size_t got = 0;
    for (std::string piece = read(); connection_->proceed() && feed_->to_say == "y";
         piece = read()) {
        got += piece.size();
    }
    EXPECT_GT(got, 4U * 1024 * 1024);
}

TEST_F(ConnectionTest, a_feed_ends_with_its_client) {
    write("feed\n");
    EXPECT_TRUE(connection_->proceed());
    close(client_);
    client_ = -1;
    EXPECT_FALSE(connection_->proceed());
}

TEST_F(ConnectionTest, a_reply_that_comes_after_its_end_is_nobodys) {
    write("later\n");
    EXPECT_TRUE(connection_->proceed());
    connection_.reset();
    late_("[late]");
    EXPECT_EQ(replied_, 0);
}

}  // namespace
}  // namespace sluice::control
