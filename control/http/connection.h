// Connection: one HTTP/1.1 client. Reads its requests, writes the responses, and never blocks on
// its socket.
//
// Requests are answered one after the other; data that the client sends before the response is
// written stays in its socket. A feed (a response without an end) makes its next piece after the
// previous piece is written.
// Bound: memory of one request head (`longest_head` and one read of 4 KiB), one response head and
// one piece of a feed. Bodies are shared with other clients that get the same. The kernel keeps up
// to `socket_buffer` octets in addition.
// Not done here: the contents of responses (site.h), waiting for sockets and timeouts (server.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "control/http/channel.h"
#include "control/http/request.h"
#include "control/http/response.h"

namespace sluice::control::http {

using Handler = std::function<Response(const Request& request)>;

class Connection {
  public:
    static constexpr int socket_buffer = 256 * 1024;  // octets

    // Takes over `socket`, a connected stream, and `channel`, which transfers the octets of the
    // socket; null: plain octets.
    Connection(int socket, const Handler& handler, std::unique_ptr<Channel> channel = nullptr);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    // Reads, answers and writes as far as it can without waiting. Returns false if the connection
    // is closed or failed and has to be destroyed.
    bool proceed(Clock::time_point now);

    // Whether to read from the socket. True during a feed as well: the client's octets are
    // discarded, but the end of its connection is noticed.
    [[nodiscard]] bool wants_to_read() const {
        return !ended_ && (feed_ != nullptr || (!has_pending_output() && !ready_));
    }
    [[nodiscard]] bool wants_to_write() const {
        return has_pending_output() || ready_ || channel_->is_to_write() ||
               (wants_to_read() && channel_->has_octets());
    }
    // Whether a reply is still due, for Clients. Always false, because each reply is made at once.
    [[nodiscard]] static constexpr bool awaits_reply() { return false; }
    [[nodiscard]] bool has_feed() const { return feed_ != nullptr; }
    // Returns a number that grows with each complete request and each octet written. While the
    // number does not grow the client is idle, also if it sends a request that never ends.
    [[nodiscard]] uint64_t progress() const { return progress_; }

  private:
    [[nodiscard]] bool has_pending_output() const { return written_ < head_.size() + body_size(); }
    [[nodiscard]] std::size_t body_size() const { return body_ ? body_->size() : 0; }
    bool read();
    void answer_next();
    void hang_up();
    void respond(Response response, bool without_body, bool keep_alive);
    bool write();

    int socket_;
    const Handler& handler_;
    std::unique_ptr<Channel> channel_;
    std::string received_;
    std::string head_;  // head of the response, or a piece of the feed
    Body body_;
    std::size_t written_ = 0;  // octets written of `head_` and body
    std::unique_ptr<Feed> feed_;
    bool ready_ = false;  // `received_` holds another complete request
    bool ended_ = false;  // the client closed its sending side
    bool last_ = false;   // the current response is the last
    uint64_t progress_ = 0;
};

}  // namespace sluice::control::http
