// Connection: one client of the control socket: reads and writes lines, and never waits.
//
// One request or reply of a client is under way at a time: nothing more is read from it until it
// has taken its reply, so a slow client delays only itself. Each `proceed` handles at most one
// request, so a client with many requests does not delay the others. An answer may come later. A
// reply may start a feed, after which the connection carries nothing else: it ends after its last
// piece, or when the client sends anything or closes its side.
// Bound: a request of `longest_request`, 16 KiB read beyond it at the most, and one reply or one
// piece of a feed.
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

// Call it once with the reply, which has no newline: before Answer returns, or later. It has no
// effect if the connection has gone. `feed`: follows the reply.
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
// Answers one line.
using Answer = std::function<void(std::string_view line, const Reply& reply)>;

class Connection {
  public:
    // A file of 1 MiB, the longest there is (config/loader.h), with every octet escaped.
    static constexpr std::size_t longest_request = 2 * 1024 * 1024 + 64 * 1024;

    // Takes over `socket`, a connected stream. `replied` is called after a late reply: then
    // `proceed` has to be called.
    Connection(int socket, const Answer& answer, std::function<void()> replied = {});
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    // Reads, answers and writes as far as it can without waiting. False: the connection is over,
    // destroy it.
    bool proceed(Clock::time_point now = Clock::now());

    // The events to wait for before the next `proceed`: a reply that is still to come, or
    // readiness.
    [[nodiscard]] bool awaits_reply() const { return awaits_reply_; }
    [[nodiscard]] bool wants_to_read() const;
    [[nodiscard]] bool wants_to_write() const;
    [[nodiscard]] bool has_feed() const { return feed_ != nullptr; }
    // Octets moved either way so far: shows a client that stands still.
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
    std::shared_ptr<Connection*> self_;  // for replies, which may outlive it
    bool awaits_reply_ = false;
    bool asks_ = false;  // an answer right now
    std::string received_;
    std::string reply_;
    std::size_t written_ = 0;  // of `reply_`
    std::unique_ptr<Feed> feed_;
    bool ended_ = false;  // the peer sends no more, or is not listened to any more
    uint64_t progress_ = 0;
};

}  // namespace sluice::control
