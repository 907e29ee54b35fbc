// Borrowed interface: a kernel interface as it was before a port changed it, and is again once the
// port is closed: promiscuous, all groups, MTU, every feature (offloads, `ethtool -k`), 802.3x,
// arp_ignore and disable_ipv6. It stays up.
//
// The old settings are written into the file of the interface's claim (interface_claim.h), which
// remains if the process is killed. The next sluice process restores the interface before it
// borrows it again, and at its start restores all such interfaces in its network namespace.
// Settings are never restored to another interface of the same name.
// Bound: one file of some 200 octets an interface. Restoring takes CAP_NET_ADMIN (privileges.h).
// Not done here: private flags of drivers (nic/kernel_settings.h), changes by others meanwhile: the
// noted setting is restored. Without /run no file remains for the next process.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "pmd_glue/interface_claim.h"

namespace sluice::pmd {

// By the names of the source.
using InterfaceSettings = std::map<std::string, std::string, std::less<>>;

InterfaceSettings settings_of(const std::string& interface);
// Restores settings that differ. Does nothing if another interface has the name now.
void give_back(const std::string& interface, const InterfaceSettings& before);
// One line each. What is not understood is left out.
std::string text_of(const InterfaceSettings& settings);
InterfaceSettings settings_in(std::string_view text);

class BorrowedInterface {
  public:
    BorrowedInterface() = default;  // none
    // Create it before any setting of the interface is changed. First restores settings that a
    // killed process left, except IPv6 if the interface is not shared with the host: the kernel
    // would send by it for an instant.
    BorrowedInterface(InterfaceClaim claim, std::string interface, bool is_shared);
    BorrowedInterface(BorrowedInterface&& other) noexcept { *this = std::move(other); }
    BorrowedInterface& operator=(BorrowedInterface&& other) noexcept;
    ~BorrowedInterface() { give_back(); }

    void give_back();
    // For a program that ends without restoring: the next process does.
    void leave();

  private:
    InterfaceClaim claim_;
    std::string interface_;  // empty: none
    InterfaceSettings before_;
};

// Restores the interfaces that ended processes left in this network namespace and that no process
// has claimed. `but`: interfaces that are about to be borrowed.
void give_back_what_was_left(std::span<const std::string> but);

}  // namespace sluice::pmd
