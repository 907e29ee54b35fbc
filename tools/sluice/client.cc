#include "tools/sluice/client.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sluice::cli {

namespace {

constexpr timeval timeval_of(std::chrono::milliseconds time) {
    return {.tv_sec = time.count() / 1000, .tv_usec = time.count() % 1000 * 1000};
}

constexpr std::size_t longest_reply = 64 * 1024 * 1024;

Failure cannot_connect(const std::string& path, int reason) {
    if (reason == EACCES || reason == EPERM) {
        return {1,
                {fmt::format("{}: permission denied; run sluice as root, or as the user of sluiced",
                             path)}};
    }
    return {1,
            {fmt::format("{}: no sluiced answers there ({}); start it with `sluiced -c FILE`, or "
                         "name its socket with --socket PATH",
                         path, std::strerror(reason))}};
}

}  // namespace

tl::expected<Client, Failure> Client::connect(const std::string& path,
                                              std::chrono::milliseconds patience) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        return tl::unexpected(Failure{
            2, {fmt::format("{}: too long for a socket; use a path of at most 107 octets", path)}});
    }
    path.copy(address.sun_path, path.size());
    Client client(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), path, patience);
    const timeval limit = timeval_of(patience);
    setsockopt(client.socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(client.socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    if (::connect(client.socket_, generic, sizeof address) != 0) {
        return tl::unexpected(cannot_connect(path, errno));
    }
    return client;
}

Client::Client(Client&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      path_(std::move(other.path_)),
      patience_(other.patience_),
      received_(std::move(other.received_)) {}

Client::~Client() {
    if (socket_ >= 0) close(socket_);
}

void Client::be_patient_for(std::chrono::seconds longer) {
    const timeval limit = timeval_of(patience_ + longer);
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

tl::unexpected<Failure> Client::lost(std::string_view what) const {
    return tl::unexpected(Failure{1, {fmt::format("{}: {}; look at sluiced's log", path_, what)}});
}

tl::expected<Json, Failure> Client::ask(const Json& request) {
    const std::string line = request.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
    for (std::size_t written = 0; written < line.size();) {
        const ssize_t put =
            send(socket_, line.data() + written, line.size() - written, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR) continue;
        // A sluiced that has no room for one more client sends a reason before it closes.
        if (put < 0) break;
        written += static_cast<std::size_t>(put);
    }
    std::size_t newline = received_.find('\n');
    while (newline == std::string::npos) {
        std::array<char, 64 * 1024> octets;
        const ssize_t got = recv(socket_, octets.data(), octets.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) return lost("sluiced does not answer");
        if (got <= 0 || received_.size() > longest_reply) return lost("sluiced hung up");
        received_.append(octets.data(), static_cast<std::size_t>(got));
        newline = received_.find('\n');
    }
    auto reply = read_reply(std::string_view(received_).substr(0, newline));
    received_.erase(0, newline + 1);
    if (!reply) return lost("the answer is not that of a sluiced");
    return std::move(*reply);
}

tl::expected<std::string, Failure> Client::more() {
    if (!received_.empty()) return std::exchange(received_, {});
    std::string octets(64 * 1024, '\0');
    const ssize_t got = recv(socket_, octets.data(), octets.size(), 0);
    if (got < 0 && errno == EINTR) return std::string();
    if (got < 0 && errno == EAGAIN) return lost("sluiced does not answer");
    if (got <= 0) return lost("sluiced hung up");
    octets.resize(static_cast<std::size_t>(got));
    return octets;
}

void Client::say_no_more() { shutdown(socket_, SHUT_WR); }

}  // namespace sluice::cli
