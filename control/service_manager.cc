#include "control/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>

namespace sluice::control {
namespace {

constexpr uint64_t pings_a_period = 4;

// Returns the address in NOTIFY_SOCKET; empty if the variable holds no usable address.
std::string address_in_environment() {
    const char* const name = std::getenv("NOTIFY_SOCKET");
    const std::string address = name == nullptr ? "" : name;
    const bool is_usable = address.size() > 1 && (address[0] == '/' || address[0] == '@') &&
                           address.size() < sizeof(sockaddr_un::sun_path);
    return is_usable ? address : "";
}

}  // namespace

ServiceManager::ServiceManager(Loop& loop) : loop_(loop), address_(address_in_environment()) {
    if (!address_.empty()) {
        socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    }
}

ServiceManager::~ServiceManager() {
    if (socket_ >= 0) ::close(socket_);
}

bool ServiceManager::send(std::string_view text) const {
    if (socket_ < 0) return true;
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    address_.copy(to.sun_path, sizeof to.sun_path - 1);
    if (address_[0] == '@') to.sun_path[0] = '\0';  // names of abstract sockets begin with a NUL
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
    const ssize_t sent = ::sendto(socket_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                                  reinterpret_cast<const sockaddr*>(&to), length);
    return sent >= 0 || (errno != EAGAIN && errno != ENOBUFS && errno != EINTR);
}

void ServiceManager::report(std::string_view state) {
    pending_ = state;
    retry();
}

void ServiceManager::retry() {
    if (send(pending_)) {
        retries_.reset();
    } else if (!retries_) {
        retries_ = loop_.every(retry_period, [this] { retry(); });
    }
}

void ServiceManager::ping_watchdog() {
    uint64_t period_us = 0;
    if (sd_watchdog_enabled(0, &period_us) <= 0) return;
    const std::chrono::microseconds between(period_us / pings_a_period);
    pings_ = loop_.every(between, [this] { static_cast<void>(send("WATCHDOG=1")); });
}

}  // namespace sluice::control
