#include "control/evpn/kernel_socket.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace sluice::control::evpn {

namespace {

constexpr std::size_t longest_datagram = 64 * 1024;  // the kernel fills 32 KiB at the most
constexpr int waiting_octets = 8 * 1024 * 1024;

}  // namespace

KernelSocket::KernelSocket()
    : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE)),
      buffer_(longest_datagram) {
    sockaddr_nl groups{};
    groups.nl_family = AF_NETLINK;
    groups.nl_groups = RTMGRP_LINK | RTMGRP_NEIGH;
    // Beyond what the system allows, where that may be.
    (void)::setsockopt(socket_, SOL_SOCKET, SO_RCVBUFFORCE, &waiting_octets, sizeof waiting_octets);
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&groups), sizeof groups) != 0) {
        why_not_ = "netlink: " + std::generic_category().message(errno);
    }
}

KernelSocket::~KernelSocket() {
    if (socket_ >= 0) ::close(socket_);
}

bool KernelSocket::take(const std::function<void(std::span<const uint8_t>)>& visit) {
    bool whole = !std::exchange(lost_, false);
    for (std::size_t datagrams = 0; datagrams < most_a_turn; ++datagrams) {
        sockaddr_nl from{};
        socklen_t length = sizeof from;
        const ssize_t octets = ::recvfrom(socket_, buffer_.data(), buffer_.size(), 0,
                                          reinterpret_cast<sockaddr*>(&from), &length);
        if (octets < 0 && errno == ENOBUFS) {
            whole = false;
            continue;
        }
        if (octets < 0) break;
        const bool of_kernel = length == sizeof from && from.nl_pid == 0;
        if (of_kernel) visit(std::span(buffer_).first(static_cast<std::size_t>(octets)));
    }
    return whole;
}

void KernelSocket::send(std::span<const uint8_t> octets) {
    sockaddr_nl kernel{};
    kernel.nl_family = AF_NETLINK;
    if (::sendto(socket_, octets.data(), octets.size(), 0,
                 reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel) < 0) {
        lost_ = true;
    }
}

}  // namespace sluice::control::evpn
