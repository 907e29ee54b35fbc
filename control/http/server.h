// Server: HTTP clients on a TCP socket, served from the control loop.
//
// In the loop rather than in a thread of its own: what is shown belongs to the control thread, so
// nothing needs to be locked or handed over, and no thread more may do anything; workers are on
// other cores and are asked nothing. What that costs control is bounded by site.h.
// Bound: `most_clients` at a time, each a fixed memory (connection.h). Nobody is waited for: one
// that takes nothing, and asks nothing, for as long as the server's patience is let go. Feeds are
// asked `feeding_period` apart.
// Opened before privileges are given up, so that it may be a port that needs one. Not done here:
// TLS, and who may look; whoever can reach the address can.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "config/yaml/endpoint.h"
#include "control/clients.h"
#include "control/http/connection.h"
#include "control/loop.h"

namespace sluice::control::http {

class Server {
  public:
    static constexpr std::size_t most_clients = 64;
    static constexpr std::chrono::milliseconds usual_patience{30'000};
    static constexpr std::chrono::milliseconds feeding_period{100};

    // Failing, says what is wrong and what would be right.
    static tl::expected<std::unique_ptr<Server>, std::string> listen(
        Loop& loop, const config::Endpoint& endpoint, Handler handler,
        std::chrono::milliseconds patience = usual_patience);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    [[nodiscard]] std::size_t clients() const { return clients_->count(); }

  private:
    Server(Loop& loop, int socket, Handler handler, std::chrono::milliseconds patience);
    void accept_one();

    int socket_;
    Handler handler_;
    Loop::SourcePointer arrivals_;
    std::optional<Clients<Connection>> clients_;
};

}  // namespace sluice::control::http
