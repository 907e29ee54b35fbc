#include "control/socket/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <cerrno>

#include "control/socket/reply.h"

namespace sluice::control {

namespace {

bool try_later() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

Connection::Connection(int socket, const Answer& answer, std::function<void()> replied)
    : socket_(socket),
      answer_(answer),
      replied_(std::move(replied)),
      self_(std::make_shared<Connection*>(this)) {
    assert(socket >= 0 && answer);
    fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
}

Connection::~Connection() {
    *self_ = nullptr;
    close(socket_);
}

bool Connection::wants_to_read() const {
    if (feed_) return !ended_;
    return !ended_ && !awaits_reply_ && reply_.empty() && received_.size() <= longest_request;
}

bool Connection::wants_to_write() const {
    return !awaits_reply_ && (!reply_.empty() || (!feed_ && has_request()));
}

// Whether a request is complete. Text that was received before the peer closed its side is a
// request even without a newline.
bool Connection::has_request() const {
    return !received_.empty() && (ended_ || received_.find('\n') != std::string::npos);
}

bool Connection::proceed(Clock::time_point now) {
    if (wants_to_read() && !read()) return false;
    if (!awaits_reply_ && reply_.empty() && !feed_) answer_next();
    if (feed_ && reply_.empty()) queue_output(feed_->next(now));
    if (!write()) return false;
    if (feed_) return !reply_.empty() || !feed_->is_over();
    return !ended_ || awaits_reply_ || wants_to_write();
}

bool Connection::read() {
    std::array<char, 16 * 1024> octets;
    const ssize_t got = recv(socket_, octets.data(), octets.size(), 0);
    if (got < 0) return try_later();
    if (got == 0) ended_ = true;
    if (feed_) {
        feed_->finish();
        return true;
    }
    received_.append(octets.data(), static_cast<std::size_t>(got));
    progress_ += static_cast<uint64_t>(got);
    return true;
}

void Connection::answer_next() {
    assert(!awaits_reply_ && reply_.empty() && !feed_);
    const std::size_t newline = received_.find('\n');
    if (std::min(newline, received_.size()) > longest_request) {
        received_.clear();
        ended_ = true;
        reply(refusal(
            Status::wrong_input,
            {fmt::format("request: longer than {} octets; a shorter one", longest_request)}));
        return;
    }
    if (!has_request()) return;
    const std::string line = received_.substr(0, newline);
    received_.erase(0, newline == std::string::npos ? newline : newline + 1);
    if (line.find_first_not_of(" \t\r") == std::string::npos) return;
    awaits_reply_ = asks_ = true;
    answer_(line, Reply([self = self_](std::string text, std::unique_ptr<Feed> feed) {
                if (*self != nullptr) (*self)->take_reply(std::move(text), std::move(feed));
            }));
    asks_ = false;
}

void Connection::take_reply(std::string text, std::unique_ptr<Feed> feed) {
    if (!std::exchange(awaits_reply_, false)) return;
    reply(std::move(text));
    feed_ = std::move(feed);
    if (asks_ || !replied_) return;
    const auto replied = replied_;  // a copy, because the call may destroy this object
    replied();
}

void Connection::reply(std::string text) {
    text += '\n';
    queue_output(std::move(text));
}

void Connection::queue_output(std::string octets) {
    assert(reply_.empty() && "a reply that is under way is not lost");
    reply_ = std::move(octets);
    written_ = 0;
}

bool Connection::write() {
    while (written_ < reply_.size()) {
        const ssize_t put =
            send(socket_, reply_.data() + written_, reply_.size() - written_, MSG_NOSIGNAL);
        if (put < 0) return try_later();
        written_ += static_cast<std::size_t>(put);
        progress_ += static_cast<uint64_t>(put);
    }
    reply_ = {};
    return true;
}

}  // namespace sluice::control
