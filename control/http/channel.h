// Channel: the octets of a connected stream, as they are or through TLS (tls.h). Never waits.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <cstddef>

namespace sluice::control::http {

class Channel {
  public:
    Channel() = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    virtual ~Channel() = default;

    // Like recv and send: returns how many octets, 0 at the end of the stream; -1 with `errno`
    // EAGAIN if no octets are available now.
    virtual ssize_t read(char* octets, std::size_t most) = 0;
    // `more`: others follow at once.
    virtual ssize_t write(const char* octets, std::size_t count, bool more) = 0;
    // Nothing more is written.
    virtual void end() = 0;
    // Octets that `read` would give although the socket has none.
    [[nodiscard]] virtual bool has_octets() const { return false; }
    // The next `read` has to write first, and the socket takes nothing now.
    [[nodiscard]] virtual bool is_to_write() const { return false; }
};

// As they are. The socket stays its owner's.
class PlainChannel : public Channel {
  public:
    explicit PlainChannel(int socket) : socket_(socket) {}

    ssize_t read(char* octets, std::size_t most) override { return recv(socket_, octets, most, 0); }
    ssize_t write(const char* octets, std::size_t count, bool more) override {
        return send(socket_, octets, count, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
    }
    void end() override { shutdown(socket_, SHUT_WR); }

  private:
    int socket_;
};

}  // namespace sluice::control::http
