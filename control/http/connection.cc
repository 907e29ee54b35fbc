#include "control/http/connection.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <cerrno>

namespace sluice::control::http {

namespace {

bool try_later() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

Response refused(const Refusal& refusal) {
    return {.status = refusal.status, .body = body_of(refusal.why + "\n")};
}

}  // namespace

Connection::Connection(int socket, const Handler& handler, std::unique_ptr<Channel> channel)
    : socket_(socket),
      handler_(handler),
      channel_(channel ? std::move(channel) : std::make_unique<PlainChannel>(socket)) {
    fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &socket_buffer, sizeof socket_buffer);
}

Connection::~Connection() { close(socket_); }

bool Connection::proceed(Clock::time_point now) {
    if (wants_to_read() && !read()) return false;
    if (!has_pending_output() && !feed_ && !last_) answer_next();
    if (feed_ && !has_pending_output()) {
        head_ = feed_->next(now);
        written_ = 0;
    }
    if (!write()) return false;
    if (feed_ && !has_pending_output() && feed_->is_over()) {
        feed_.reset();
        last_ = true;  // the end of a feed is the end of the connection, since a feed has no length
    }
    if (has_pending_output() || feed_) return true;
    if (last_) hang_up();
    ready_ = !last_ && head_length(received_).has_value();
    return !ended_ || ready_;
}

// Closes only the sending side; octets of the client are read until it closes its side too. A
// socket closed with unread input sends a TCP reset, which would discard the end of the last
// response.
void Connection::hang_up() { channel_->end(); }

bool Connection::read() {
    std::array<char, 4096> octets;
    const ssize_t got = channel_->read(octets.data(), octets.size());
    if (got < 0) return try_later();
    if (got == 0) {
        ended_ = true;
        return !feed_;
    }
    if (!feed_ && !last_) received_.append(octets.data(), static_cast<std::size_t>(got));
    return true;
}

void Connection::answer_next() {
    const auto length = head_length(received_);
    if (length.value_or(received_.size()) > longest_head) {
        respond({.status = 431, .body = body_of("request: too long; one of up to 8 KiB\n")}, false,
                false);
        return;
    }
    if (!length) return;
    const auto request = parse_head(std::string_view(received_).substr(0, *length));
    received_.erase(0, *length);
    ++progress_;
    if (!request) return respond(refused(request.error()), false, false);
    respond(handler_(*request), request->head, request->keep_alive);
}

void Connection::respond(Response response, bool without_body, bool keep_alive) {
    assert(!has_pending_output() && !feed_ && !last_);
    const bool goes_on = response.feed && !without_body;
    keep_alive = keep_alive && !response.feed;
    head_ = head_of(response, keep_alive);
    written_ = 0;
    if (!without_body) body_ = std::move(response.body);
    if (goes_on) feed_ = std::move(response.feed);
    if (keep_alive || goes_on) return;
    last_ = true;
    received_ = {};
}

bool Connection::write() {
    while (has_pending_output()) {
        const std::string& part = written_ < head_.size() ? head_ : *body_;
        const std::size_t at = written_ < head_.size() ? written_ : written_ - head_.size();
        const bool more = &part == &head_ && body_;
        const ssize_t put = channel_->write(part.data() + at, part.size() - at, more);
        if (put < 0) return try_later();
        assert(static_cast<std::size_t>(put) <= part.size() - at);
        written_ += static_cast<std::size_t>(put);
        progress_ += static_cast<uint64_t>(put);
    }
    head_ = {};
    body_ = {};
    written_ = 0;
    return true;
}

}  // namespace sluice::control::http
