// Connection: one HTTP client: requests in, responses out, never waiting for either.
//
// One response is under way at a time; what the client asks meanwhile waits in its socket. A feed
// is asked for its next piece when the last one has been taken.
// Bound: a head of `longest_head`, 4 KiB read beyond it, a response's head and one piece of a feed;
// bodies are shared with whoever is sent the same. The kernel holds up to `socket_buffer` besides.
// Not done here: what is answered (site.h), waiting for readiness and time (server.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "control/http/request.h"
#include "control/http/response.h"

namespace sluice::control::http {

using Handler = std::function<Response(const Request& request)>;

class Connection {
  public:
    static constexpr int socket_buffer = 256 * 1024;

    // Takes over `socket`, a connected stream.
    Connection(int socket, const Handler& handler);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    // Reads, answers and writes as far as it can without waiting.
    // False: it is over, destroy it.
    bool proceed(Clock::time_point now);

    // Of a feed, too: what comes is not listened to, but that the client goes is seen.
    [[nodiscard]] bool wants_to_read() const {
        return !ended_ && (feed_ != nullptr || (!has_pending_output() && !ready_));
    }
    [[nodiscard]] bool wants_to_write() const { return has_pending_output() || ready_; }
    // Never: each request is answered at once.
    [[nodiscard]] static constexpr bool awaits_reply() { return false; }
    [[nodiscard]] bool has_feed() const { return feed_ != nullptr; }
    // Grows with each request that came whole and each octet that was taken: a client that stands
    // still, or sends a request that never ends, can be told by it.
    [[nodiscard]] uint64_t progress() const { return progress_; }

  private:
    [[nodiscard]] bool has_pending_output() const { return written_ < head_.size() + body_size(); }
    [[nodiscard]] std::size_t body_size() const { return body_ ? body_->size() : 0; }
    bool read();
    void answer_next();
    void hang_up();
    void respond(Response response, bool without_body, bool stays);
    bool write();

    int socket_;
    const Handler& handler_;
    std::string received_;
    std::string head_;  // or a piece of the feed
    Body body_;
    std::size_t written_ = 0;  // of both
    std::unique_ptr<Feed> feed_;
    bool ready_ = false;  // `received_` holds another request whole
    bool ended_ = false;  // the client sends no more
    bool last_ = false;   // no more requests of it are answered
    uint64_t progress_ = 0;
};

}  // namespace sluice::control::http
