// Connection: one client of the control socket: reads and writes lines, and never waits.
//
// One request or reply of a client is under way at a time: the switch reads nothing more from a
// client until the client has taken its reply, so a slow client delays only itself. Each `proceed`
// handles at most one request, so a client with many requests does not delay the others. An answer
// may be given later. A reply may start a feed; from then on the connection carries nothing else.
// The feed ends after its last piece, or when the client sends anything or closes its side.
// Bound: a request of `longest_request`, at most 16 KiB read beyond it, and one reply or one piece
// of a feed.
// Not done here: parsing requests (request.h), waiting for readiness and time (api.h).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "control/socket/feed.h"

namespace sluice::control {

// Sends the reply to a request. Called once, before Answer returns or later, with a text without a
// newline. It has no effect if the connection is closed. `feed`: data to send after the reply.
class Reply {
  public:
    using Take = std::function<void(std::string text, std::unique_ptr<Feed> feed)>;

    Reply() = default;
    explicit Reply(Take take) : take_(std::move(take)) {}
    void operator()(std::string text, std::unique_ptr<Feed> feed = nullptr) const {
        take_(std::move(text), std::move(feed));
    }

  private:
    Take take_;
};
// Handles one line.
using Answer = std::function<void(std::string_view line, const Reply& reply)>;

class Connection {
  public:
    // Room for a file of 1 MiB, the longest that is allowed (config/loader.h), with every octet
    // escaped.
    static constexpr std::size_t longest_request = 2 * 1024 * 1024 + 64 * 1024;

    // Takes over `socket`, a connected stream. `replied` is called when a reply was sent after
    // Answer had returned; the caller then has to call `proceed`.
    Connection(int socket, const Answer& answer, std::function<void()> replied = {});
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    // Reads, answers and writes as far as it can without waiting. Returns false if the connection
    // is over and has to be destroyed.
    bool proceed(Clock::time_point now = Clock::now());

    // Return what has to happen before the next call of `proceed`: a reply is due, or the socket
    // becomes ready.
    [[nodiscard]] bool awaits_reply() const { return awaits_reply_; }
    [[nodiscard]] bool wants_to_read() const;
    [[nodiscard]] bool wants_to_write() const;
    [[nodiscard]] bool has_feed() const { return feed_ != nullptr; }
    // Returns how many octets were transferred in both directions, which shows whether a client
    // stands still.
    [[nodiscard]] uint64_t progress() const { return progress_; }
    [[nodiscard]] int socket() const { return socket_; }

  private:
    bool read();
    void answer_next();
    bool write();
    [[nodiscard]] bool has_request() const;
    void take_reply(std::string text, std::unique_ptr<Feed> feed);
    void reply(std::string text);
    void queue_output(std::string octets);

    int socket_;
    const Answer& answer_;
    std::function<void()> replied_;
    std::shared_ptr<Connection*> self_;  // shared with replies, which may outlive this object
    bool awaits_reply_ = false;
    bool asks_ = false;  // the answer function is running
    std::string received_;
    std::string reply_;
    std::size_t written_ = 0;  // octets written of `reply_`
    std::unique_ptr<Feed> feed_;
    bool ended_ = false;  // the peer has closed its side, or the switch no longer reads from it
    uint64_t progress_ = 0;
};

}  // namespace sluice::control
