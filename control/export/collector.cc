#include "control/export/collector.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "config/yaml/endpoint.h"
#include "control/socket/socket_address.h"

namespace sluice::control {

namespace {

constexpr Nanos retry_period{1'000'000'000};

// Whether the buffer of the socket or of the device is full; the path itself is not at fault.
bool is_backlog(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

Collector::~Collector() {
    if (socket_ >= 0) ::close(socket_);
}

bool Collector::open(Nanos now) {
    if (socket_ >= 0) return true;
    if (tried_at_ && now - *tried_at_ < retry_period) return false;
    tried_at_ = now;
    SocketAddress address = socket_address_of(*config::parse_endpoint(endpoint_));
    constexpr int kind = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    socket_ = ::socket(address.get()->sa_family, kind, 0);
    if (socket_ >= 0 && ::connect(socket_, address.get(), address.length) == 0) return true;
    fail(errno, now);
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    return false;
}

void Collector::send(std::span<const uint8_t> datagram, Nanos now) {
    const bool done = open(now) && ::send(socket_, datagram.data(), datagram.size(), 0) >= 0;
    if (!done) {
        ++lost_;
        if (socket_ >= 0 && !is_backlog(errno)) fail(errno, now);
        return;
    }
    ++sent_;
    if (reachable_) return;
    sent_since_ = std::min(sent_since_ + 1, recovery_datagrams);
    reachable_ = sent_since_ == recovery_datagrams && now - failed_at_ >= recovery_time;
}

void Collector::fail(int error, Nanos now) {
    why_ = std::generic_category().message(error);
    reachable_ = false;
    failed_at_ = now;
    sent_since_ = 0;
}

std::optional<bool> Collector::take_change() {
    if (reported_ == reachable_) return std::nullopt;
    return reported_ = reachable_;
}

std::vector<uint8_t> Collector::local_address(Nanos now) {
    SocketAddress local;
    if (!open(now) || ::getsockname(socket_, local.get(), &local.length) != 0) return {};
    std::vector<uint8_t> octets;
    if (local.get()->sa_family == AF_INET) {
        octets.resize(4);
        std::memcpy(octets.data(), &reinterpret_cast<sockaddr_in*>(local.get())->sin_addr, 4);
    } else {
        octets.resize(16);
        std::memcpy(octets.data(), &reinterpret_cast<sockaddr_in6*>(local.get())->sin6_addr, 16);
    }
    return octets;
}

}  // namespace sluice::control
