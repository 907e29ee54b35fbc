// Server: accepts HTTP clients on a TCP socket and serves them from the control loop.
//
// It runs in the control thread, since the shown state belongs to that thread: no locks or copies
// are needed, and no further thread needs privileges. Workers are not involved. site.h bounds the
// control thread's time for it.
// Bound: `most_clients` connections at a time, each with a fixed amount of memory (connection.h).
// If all are taken, a new client replaces one without a pending request, so that clients which only
// connect keep no one out; if all are feeds, the new client is refused.
// No call blocks. A client that transfers nothing for the idle timeout is disconnected; if
// descriptors run out, the idlest client is disconnected at once. Feeds are polled every
// `feed_period`. The server begins to listen before privileges are dropped, so that a port below
// 1024 can be used. With TLS every connection begins with its handshake (tls.h).
// Not done here: deciding who may read (site.h).
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "config/yaml/endpoint.h"
#include "control/http/connection.h"
#include "control/http/tls.h"
#include "control/loop.h"
#include "control/socket/acceptor.h"
#include "control/socket/clients.h"

namespace sluice::control::http {

class Server {
  public:
    static constexpr std::size_t most_clients = 64;
    // Descriptors that stay free for the control socket, devices and files.
    static constexpr unsigned reserve = 24;
    static constexpr std::chrono::milliseconds default_idle_timeout{30'000};
    static constexpr std::chrono::milliseconds feed_period{100};

    // Listens. An error describes what is wrong with the endpoint and what is allowed.
    static tl::expected<std::unique_ptr<Server>, std::string> listen(
        Loop& loop, const config::Endpoint& endpoint, Handler handler,
        std::chrono::milliseconds idle_timeout = default_idle_timeout,
        std::shared_ptr<const Tls> tls = nullptr);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    [[nodiscard]] std::size_t clients() const { return clients_->count(); }
    // Called when another socket has no descriptor left. Returns false if there is no client to
    // close.
    bool disconnect_idlest() { return clients_->disconnect_idlest(); }

  private:
    Server(Loop& loop, int socket, Handler handler, std::chrono::milliseconds idle_timeout,
           std::shared_ptr<const Tls> tls);
    void add(int socket);

    int socket_;
    Handler handler_;
    std::shared_ptr<const Tls> tls_;  // null: no TLS
    std::optional<Acceptor> acceptor_;
    std::optional<Clients<Connection>> clients_;
};

}  // namespace sluice::control::http
