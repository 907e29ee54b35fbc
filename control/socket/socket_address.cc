#include "control/socket/socket_address.h"

#include <netinet/in.h>

#include <cstring>

namespace sluice::control {

SocketAddress socket_address_of(const config::Endpoint& endpoint) {
    SocketAddress address;
    if (endpoint.address.size() == sizeof(in_addr)) {
        sockaddr_in four{};
        four.sin_family = AF_INET;
        four.sin_port = htons(endpoint.port);
        std::memcpy(&four.sin_addr, endpoint.address.data(), sizeof four.sin_addr);
        std::memcpy(&address.storage, &four, address.length = sizeof four);
    } else {
        sockaddr_in6 six{};
        six.sin6_family = AF_INET6;
        six.sin6_port = htons(endpoint.port);
        std::memcpy(&six.sin6_addr, endpoint.address.data(), sizeof six.sin6_addr);
        std::memcpy(&address.storage, &six, address.length = sizeof six);
    }
    return address;
}

}  // namespace sluice::control
