#include "control/http/server.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sluice::control::http {

namespace {

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = 0;
};

SocketAddress address_of(const config::Endpoint& endpoint) {
    SocketAddress address;
    if (endpoint.address.size() == sizeof(in_addr)) {
        sockaddr_in four{};
        four.sin_family = AF_INET;
        four.sin_port = htons(endpoint.port);
        std::memcpy(&four.sin_addr, endpoint.address.data(), sizeof four.sin_addr);
        std::memcpy(&address.storage, &four, sizeof four);
        address.length = sizeof four;
    } else {
        sockaddr_in6 six{};
        six.sin6_family = AF_INET6;
        six.sin6_port = htons(endpoint.port);
        std::memcpy(&six.sin6_addr, endpoint.address.data(), sizeof six.sin6_addr);
        std::memcpy(&address.storage, &six, sizeof six);
        address.length = sizeof six;
    }
    return address;
}

}  // namespace

struct Server::Client {
    Client(int socket, const Handler& handler) : connection(socket, handler) {}

    Connection connection;
    Loop::SourcePointer source;  // goes before its descriptor
    uint64_t progress = 0;
    Clock::time_point moved_at = Clock::now();
};

tl::expected<std::unique_ptr<Server>, std::string> Server::listen(
    Loop& loop, const config::Endpoint& endpoint, Handler handler,
    std::chrono::milliseconds patience) {
    const SocketAddress address = address_of(endpoint);
    const int listener =
        socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    // What the last sluiced here had open is no reason to wait for.
    const int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address.storage);
    if (listener < 0 || bind(listener, generic, address.length) != 0 ||
        ::listen(listener, static_cast<int>(most_clients)) != 0) {
        const int reason = errno;
        if (listener >= 0) close(listener);
        return tl::unexpected(
            fmt::format("metrics.listen: {}: {}; an address of this machine, and a port that "
                        "nobody has",
                        config::to_text(endpoint), std::strerror(reason)));
    }
    return std::unique_ptr<Server>(new Server(loop, listener, std::move(handler), patience));
}

Server::Server(Loop& loop, int socket, Handler handler, std::chrono::milliseconds patience)
    : loop_(loop), socket_(socket), handler_(std::move(handler)), patience_(patience) {
    arrivals_ = loop_.watch(socket_, EPOLLIN, [this] { accept_one(); });
    sweep_ = loop_.every(patience_ / 16, [this] { let_go_of_the_idle(); });
}

Server::~Server() {
    clients_.clear();
    arrivals_.reset();
    close(socket_);
}

void Server::accept_one() {
    const int socket = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return;
    if (clients_.size() >= most_clients) {
        const Response full{.status = 503,
                            .body = body_of(fmt::format(
                                "sluiced: serves {} clients already; close one\n", most_clients))};
        const std::string reply = head_of(full, false) + *full.body;
        // Fits an empty socket, or is lost: it is a courtesy.
        [[maybe_unused]] const auto sent =
            send(socket, reply.data(), reply.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        close(socket);
        return;
    }
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    Client& client = clients_.emplace_back(socket, handler_);
    client.source = loop_.watch(socket, EPOLLIN, [this, &client] { proceed(client); });
}

void Server::proceed(Client& client) {
    if (goes_on(client)) return;
    clients_.remove_if([&](const Client& other) { return &other == &client; });
}

bool Server::goes_on(Client& client) {
    Connection& connection = client.connection;
    const auto now = Clock::now();
    if (!connection.proceed(now)) return false;
    if (connection.progress() != client.progress) {
        client.progress = connection.progress();
        client.moved_at = now;
    }
    if (connection.has_feed() && !feeding_) {
        feeding_ = loop_.every(feeding_period, [this] { feed(); });
    }
    client.source->wait_for((connection.wants_to_read() ? EPOLLIN : 0U) |
                            (connection.wants_to_write() ? EPOLLOUT : 0U));
    return true;
}

void Server::feed() {
    bool any = false;
    clients_.remove_if([&](Client& client) {
        if (!client.connection.has_feed()) return false;
        const bool on = goes_on(client);
        any = any || on;
        return !on;
    });
    if (!any) feeding_.reset();
}

void Server::let_go_of_the_idle() {
    const auto now = Clock::now();
    clients_.remove_if([&](const Client& client) { return now - client.moved_at > patience_; });
}

}  // namespace sluice::control::http
