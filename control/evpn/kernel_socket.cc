#include "control/evpn/kernel_socket.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace sluice::control::evpn {

namespace {

constexpr std::size_t longest_datagram = 64 * 1024;  // the kernel fills at most 32 KiB

std::string why() { return "netlink: " + std::generic_category().message(errno); }

}  // namespace

KernelSocket::KernelSocket()
    : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE)),
      buffer_(longest_datagram) {
    if (socket_ < 0) {
        why_not_ = why();
        return;
    }
    // SO_RCVBUFFORCE exceeds the system's limit if the process has the privilege.
    if (::setsockopt(socket_, SOL_SOCKET, SO_RCVBUFFORCE, &waiting_octets, sizeof waiting_octets) !=
        0) {
        why_small_ = why();
    }
    sockaddr_nl groups{};
    groups.nl_family = AF_NETLINK;
    groups.nl_groups = RTMGRP_LINK | RTMGRP_NEIGH;
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&groups), sizeof groups) != 0) {
        why_not_ = why();
    }
}

KernelSocket::~KernelSocket() {
    if (socket_ >= 0) ::close(socket_);
}

Kernel::Taken KernelSocket::take(const Visit& visit) {
    Taken taken;
    for (std::size_t datagrams = 0; datagrams < most_a_turn; ++datagrams) {
        sockaddr_nl from{};
        socklen_t length = sizeof from;
        // MSG_TRUNC returns the full length, even if the buffer is shorter.
        const ssize_t octets = ::recvfrom(socket_, buffer_.data(), buffer_.size(), MSG_TRUNC,
                                          reinterpret_cast<sockaddr*>(&from), &length);
        if (octets < 0 && errno != ENOBUFS) return taken;
        if (octets < 0 || static_cast<std::size_t>(octets) > buffer_.size()) {
            taken.lost = true;
            continue;
        }
        const bool of_kernel = length == sizeof from && from.nl_pid == 0;
        if (of_kernel) visit(std::span(buffer_).first(static_cast<std::size_t>(octets)));
    }
    taken.more = true;
    return taken;
}

bool KernelSocket::send(std::span<const uint8_t> octets) {
    sockaddr_nl kernel{};
    kernel.nl_family = AF_NETLINK;
    return ::sendto(socket_, octets.data(), octets.size(), 0,
                    reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel) >= 0;
}

}  // namespace sluice::control::evpn
