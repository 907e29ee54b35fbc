#include "control/http/server.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "control/socket/socket_address.h"

namespace sluice::control::http {

namespace {

// A TLS client cannot read a plain reply; its connection is closed without a reply.
void refuse(int client, bool tls, std::string why) {
    if (tls) return;
    const Response refusal{.status = 503, .body = body_of(std::move(why))};
    const std::string reply = head_of(refusal, false) + *refusal.body;
    // Best effort: the reply fits an empty socket buffer; otherwise it is lost.
    [[maybe_unused]] const auto sent =
        send(client, reply.data(), reply.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

tl::expected<std::unique_ptr<Server>, std::string> Server::listen(
    Loop& loop, const config::Endpoint& endpoint, Handler handler,
    std::chrono::milliseconds idle_timeout, std::shared_ptr<const Tls> tls) {
    SocketAddress address = socket_address_of(endpoint);
    const int listener =
        socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    // Connections of an earlier sluiced in TIME_WAIT must not keep the address busy.
    const int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (listener < 0 || bind(listener, address.get(), address.length) != 0 ||
        ::listen(listener, static_cast<int>(most_clients)) != 0) {
        const int reason = errno;
        if (listener >= 0) close(listener);
        return tl::unexpected(
            fmt::format("metrics.listen: {}: {}; an address of this machine, and a free port",
                        config::to_text(endpoint), std::strerror(reason)));
    }
    return std::unique_ptr<Server>(
        new Server(loop, listener, std::move(handler), idle_timeout, std::move(tls)));
}

Server::Server(Loop& loop, int socket, Handler handler, std::chrono::milliseconds idle_timeout,
               std::shared_ptr<const Tls> tls)
    : socket_(socket),
      handler_(std::move(handler)),
      tls_(std::move(tls)),
      clients_(std::in_place, loop, idle_timeout, feed_period) {
    const auto turn_away = [this](int client) {
        refuse(client, tls_ != nullptr,
               "sluiced: no descriptor is left for it; try again, or raise LimitNOFILE\n");
    };
    acceptor_.emplace(loop, socket_, reserve,
                      Acceptor::Hooks{.came = [this](int client) { add(client); },
                                      .turn_away = turn_away,
                                      .make_room = [this] { return disconnect_idlest(); }});
}

Server::~Server() {
    clients_.reset();
    acceptor_.reset();
    close(socket_);
}

void Server::add(int socket) {
    if (clients_->count() >= most_clients && !clients_->disconnect_quiet()) {
        refuse(socket, tls_ != nullptr,
               fmt::format("sluiced: serves {} clients already; close one\n", most_clients));
        close(socket);
        return;
    }
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    std::unique_ptr<Channel> channel = tls_ ? tls_->channel(socket) : nullptr;
    if (tls_ && !channel) {
        close(socket);
        return;
    }
    clients_->add(socket, [&](auto) {
        return std::make_unique<Connection>(socket, handler_, std::move(channel));
    });
}

}  // namespace sluice::control::http
