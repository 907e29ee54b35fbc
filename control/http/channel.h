// Channel: transfers the octets of a connected stream, plain or through TLS (tls.h). Never waits.
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

    // Like recv and send: return the number of octets; 0 at the end of the stream; -1 with `errno`
    // EAGAIN if no octets can be transferred now.
    virtual ssize_t read(char* octets, std::size_t most) = 0;
    // `more`: more octets follow at once.
    virtual ssize_t write(const char* octets, std::size_t count, bool more) = 0;
    // Closes the sending side.
    virtual void end() = 0;
    // Whether `read` would return octets although the socket has none.
    [[nodiscard]] virtual bool has_octets() const { return false; }
    // Whether the last `read` or `write` failed because TLS has octets to send that the socket does
    // not take yet. The caller then waits until the socket is writable.
    [[nodiscard]] virtual bool is_to_write() const { return false; }
};

// Transfers plain octets. The caller keeps the socket.
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
