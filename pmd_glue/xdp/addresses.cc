#include "pmd_glue/xdp/addresses.h"

#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

namespace sluice::pmd::xdp {
namespace {

// Returns whether the entry is of `interface`. An IPv4 address may have a label such as eth0:1.
bool is_of(const ifaddrs& entry, const std::string& interface) {
    const std::string_view name(entry.ifa_name);
    return name.substr(0, name.find(':')) == interface;
}

void add(FoundAddresses& found, const sockaddr& address) {
    xdp_addresses& kept = found.kept;
    if (address.sa_family == AF_PACKET) {
        sockaddr_ll link{};
        std::memcpy(&link, &address, sizeof link);
        for (std::size_t i = 0; i < 6; ++i) kept.mac = kept.mac << 8 | link.sll_addr[i];
    } else if (address.sa_family == AF_INET) {
        if (kept.ipv4s == xdp_most_addresses) return void(++found.left_out);
        sockaddr_in ip{};
        std::memcpy(&ip, &address, sizeof ip);
        kept.wire_ipv4[kept.ipv4s++] = ip.sin_addr.s_addr;
    } else if (address.sa_family == AF_INET6) {
        if (kept.ipv6s == xdp_most_addresses) return void(++found.left_out);
        sockaddr_in6 ip{};
        std::memcpy(&ip, &address, sizeof ip);
        std::memcpy(kept.ipv6[kept.ipv6s++].wire, &ip.sin6_addr, sizeof ip.sin6_addr);
    }
}

}  // namespace

std::optional<FoundAddresses> addresses_of(const std::string& interface) {
    FoundAddresses found;
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0) return {};
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> held(all, ::freeifaddrs);
    for (const ifaddrs* entry = all; entry != nullptr; entry = entry->ifa_next) {
        if (entry->ifa_addr != nullptr && is_of(*entry, interface)) add(found, *entry->ifa_addr);
    }
    return found;
}

AddressChanges::AddressChanges()
    : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE)) {
    sockaddr_nl groups{};
    groups.nl_family = AF_NETLINK;
    groups.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR;
    if (::bind(socket_.number(), reinterpret_cast<const sockaddr*>(&groups), sizeof groups) != 0) {
        socket_.close();
    }
}

// Returns whether an address may have changed. If the socket's buffer overflowed, messages are
// lost, which counts as a change too.
bool AddressChanges::look() {
    bool changed = !socket_.is_open();
    std::array<char, 64> head{};
    while (socket_.is_open()) {
        if (::recv(socket_.number(), head.data(), head.size(), 0) < 0 && errno != ENOBUFS) break;
        changed = true;
    }
    return changed;
}

}  // namespace sluice::pmd::xdp
