// Far end: finds the other end of a veth, in any network namespace that the kernel lets us query.
//
// A veth drops frames longer than its far end's MTU plus one tag.
// Bound: two requests to the kernel, which answers at once.
// Limits: returns nothing if the interface is no veth, or its far end is in a namespace where this
// process has no CAP_NET_ADMIN.
// Source: rtnetlink(7), linux/if_link.h: IFLA_LINK, IFLA_LINK_NETNSID, IFLA_TARGET_NETNSID.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::pmd {

struct FarEnd {
    std::string name;  // name in its own namespace
    uint32_t mtu = 0;

    // Longest frame in octets; the far end drops longer ones.
    [[nodiscard]] uint32_t longest_frame() const { return mtu + 14 + 4; }
};

std::optional<FarEnd> far_end_of(const std::string& interface);

// Returns a notice for a port with an MTU of `mtu`; empty if its far end accepts frames of that
// MTU.
std::optional<std::string> notice_of(const FarEnd& far, const std::string& interface, uint16_t mtu);

}  // namespace sluice::pmd
