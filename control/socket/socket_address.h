// Socket address: an endpoint in the form that the kernel's socket calls take.
#pragma once

#include <sys/socket.h>

#include "config/yaml/endpoint.h"

namespace sluice::control {

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = sizeof(sockaddr_storage);

    [[nodiscard]] sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

SocketAddress socket_address_of(const config::Endpoint& endpoint);

}  // namespace sluice::control
