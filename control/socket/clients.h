// Clients: the connections of one socket. The control loop serves each client as far as possible
// without waiting.
//
// A client that transfers no octet for `idle_timeout` is disconnected, unless the client awaits a
// reply. A client that hangs up while it awaits a reply is removed at once. The feeds of clients
// are polled every `feed_period`.
// Bound: the memory of one connection for each client; the caller that accepts clients limits their
// number (`count`).
// Not done here: accepting, and the protocol of a connection (connection.h, http/connection.h).
#pragma once

#include <sys/epoll.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <tuple>
#include <utility>

#include "control/loop.h"
#include "control/socket/feed.h"

namespace sluice::control {

template <typename Connection>
class Clients {
  public:
    Clients(Loop& loop, std::chrono::milliseconds idle_timeout,
            std::chrono::milliseconds feed_period)
        : loop_(loop),
          idle_timeout_(idle_timeout),
          feed_period_(feed_period),
          sweep_(loop.every(idle_timeout / 16, [this] { disconnect_idle(); })) {}
    Clients(const Clients&) = delete;
    Clients& operator=(const Clients&) = delete;

    [[nodiscard]] std::size_t count() const { return clients_.size(); }

    // Adds a client. `make` makes the connection of `socket`; its argument is a function to call
    // when there is work that the socket does not signal.
    template <typename Make>
    void add(int socket, const Make& make) {
        Client& client = clients_.emplace_back();
        client.connection = make([this, &client] { proceed(client); });
        client.source = loop_.watch(socket, EPOLLIN, [this, &client] { on_readable(client); });
    }

    // Disconnects the client that has transferred nothing for longest, preferably one without a
    // feed. Clients that await a reply stay. Returns false if there is no other client.
    bool disconnect_idlest() {
        const auto idlest = std::ranges::min_element(clients_, {}, [](const Client& client) {
            const Connection& connection = *client.connection;
            return std::tuple(connection.awaits_reply(), connection.has_feed(), client.moved_at);
        });
        if (idlest == clients_.end() || idlest->connection->awaits_reply()) return false;
        clients_.erase(idlest);
        return true;
    }

    // Disconnects the client that has transferred nothing for longest, preferably one that never
    // sent a request. Clients that await a reply, have a feed, or have output pending stay. Returns
    // false if there is no other client.
    bool disconnect_quiet() {
        const auto rank = [](const Client& client) {
            const Connection& connection = *client.connection;
            const bool is_busy =
                connection.awaits_reply() || connection.has_feed() || connection.wants_to_write();
            return std::tuple(is_busy, connection.progress() != 0, client.moved_at);
        };
        const auto quiet = std::ranges::min_element(clients_, {}, rank);
        if (quiet == clients_.end() || std::get<0>(rank(*quiet))) return false;
        clients_.erase(quiet);
        return true;
    }

  private:
    struct Client {
        std::unique_ptr<Connection> connection;
        Loop::SourcePointer source;  // destroyed before `connection` closes the descriptor
        uint64_t progress = 0;
        Clock::time_point moved_at = Clock::now();
    };

    // The switch does not read from a client that awaits a reply, so the event shows that the
    // client hung up.
    void on_readable(Client& client) {
        if (client.connection->awaits_reply()) return remove(client);
        proceed(client);
    }

    void proceed(Client& client) {
        if (!goes_on(client)) remove(client);
    }

    void remove(const Client& client) {
        clients_.remove_if([&](const Client& other) { return &other == &client; });
    }

    bool goes_on(Client& client) {
        Connection& connection = *client.connection;
        const auto now = Clock::now();
        if (!connection.proceed(now)) return false;
        if (connection.progress() != client.progress) {
            client.progress = connection.progress();
            client.moved_at = now;
        }
        if (connection.has_feed() && !feeding_) {
            feeding_ = loop_.every(feed_period_, [this] { feed(); });
        }
        client.source->wait_for((connection.wants_to_read() ? EPOLLIN : 0U) |
                                (connection.wants_to_write() ? EPOLLOUT : 0U));
        return true;
    }

    void feed() {
        bool any = false;
        clients_.remove_if([&](Client& client) {
            if (!client.connection->has_feed()) return false;
            const bool on = goes_on(client);
            any = any || on;
            return !on;
        });
        if (!any) feeding_.reset();
    }

    void disconnect_idle() {
        const auto now = Clock::now();
        clients_.remove_if([&](const Client& client) {
            return !client.connection->awaits_reply() && now - client.moved_at > idle_timeout_;
        });
    }

    Loop& loop_;
    const std::chrono::milliseconds idle_timeout_;
    const std::chrono::milliseconds feed_period_;
    std::list<Client> clients_;
    Loop::SourcePointer sweep_;
    Loop::SourcePointer feeding_;  // set while there is a feed
};

}  // namespace sluice::control
