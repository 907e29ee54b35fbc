// Connection: one client of the control socket: lines in, lines out, never waiting for either.
//
// A client has one reply under way at a time: until it has taken it, nothing more of it is read or
// answered, so a slow one costs its own patience only. Each `proceed` answers at most one request,
// so one that asks a lot does not keep the others waiting.
// Bound: a request of `longest_request`, 16 KiB read beyond it at the most, and one reply.
// Not done here: understanding requests (request.h), waiting for readiness and time (api.h).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace sluice::control {

// Answers one line; the reply has no newline either.
using Answer = std::function<std::string(std::string_view line)>;

class Connection {
  public:
    // A file of 1 MiB, the longest there is (config/loader.h), with every octet escaped.
    static constexpr std::size_t longest_request = 2 * 1024 * 1024 + 64 * 1024;

    // Takes over `socket`, a connected stream.
    Connection(int socket, const Answer& answer);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    // Reads, answers and writes as far as it can without waiting.
    // False: it is over, destroy it.
    bool proceed();

    // What to wait for before the next `proceed`. Neither: wait for the peer to go.
    [[nodiscard]] bool wants_to_read() const;
    [[nodiscard]] bool wants_to_write() const;
    // Octets moved either way so far: a client that stands still can be told by it.
    [[nodiscard]] uint64_t progress() const { return progress_; }
    [[nodiscard]] int socket() const { return socket_; }

  private:
    bool read();
    void answer_next();
    bool write();
    [[nodiscard]] bool has_request() const;
    void reply(std::string text);

    int socket_;
    const Answer& answer_;
    std::string received_;
    std::string reply_;
    std::size_t written_ = 0;  // of `reply_`
    bool ended_ = false;       // the peer sends no more, or is not listened to any more
    uint64_t progress_ = 0;
};

}  // namespace sluice::control
