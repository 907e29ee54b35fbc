// Addresses: the MAC and IP addresses of an interface, in the form of the XDP program, and whether
// they have changed.
//
// The kernel notifies a netlink socket when an address or a link has changed, on any interface;
// then all addresses are read again. Without a change a check is one system call.
// Bound: 64 addresses of each family (layout.h), the first that the kernel lists.
// Source: rtnetlink(7), getifaddrs(3).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "pmd_glue/file_descriptor.h"
#include "pmd_glue/xdp/layout.h"

namespace sluice::pmd::xdp {

struct FoundAddresses {
    xdp_addresses kept{};
    std::size_t left_out = 0;  // addresses that do not fit
};
// Returns nothing if getifaddrs(3) failed.
std::optional<FoundAddresses> addresses_of(const std::string& interface);

class AddressChanges {
  public:
    AddressChanges();  // notes changes from now on

    // Whether addresses may have changed since the last call.
    [[nodiscard]] bool look();

  private:
    FileDescriptor socket_;
};

}  // namespace sluice::pmd::xdp
