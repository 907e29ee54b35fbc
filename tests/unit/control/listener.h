// Listener: a collector of datagrams, a UDP socket of the loopback interface.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::control {

class Listener {
  public:
    Listener() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(socket_, any, length), 0);
        EXPECT_EQ(::getsockname(socket_, any, &length), 0);
        endpoint = fmt::format("127.0.0.1:{}", ntohs(address.sin_port));
    }
    ~Listener() { close(); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    void close() {
        if (socket_ >= 0) ::close(socket_);
        socket_ = -1;
    }
    // Datagrams that came since the last call.
    std::vector<std::vector<uint8_t>> heard() {
        std::vector<std::vector<uint8_t>> datagrams;
        std::array<uint8_t, 2000> octets;
        for (ssize_t size; (size = ::recv(socket_, octets.data(), octets.size(), 0)) >= 0;) {
            datagrams.emplace_back(octets.begin(), octets.begin() + size);
        }
        return datagrams;
    }

    std::string endpoint;

  private:
    int socket_;
};

}  // namespace sluice::control
