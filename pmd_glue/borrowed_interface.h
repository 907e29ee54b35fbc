// Borrowed interface: saves the settings of a kernel interface before a port changes them, and
// restores them when the port is closed: promiscuous mode, all-multicast, MTU, features (offloads,
// `ethtool -k`), 802.3x pause, arp_ignore and disable_ipv6. The interface stays up.
//
// The old settings are written into the file of the interface's claim (interface_claim.h), which
// remains if the process is killed. The next sluice process restores the interface before it
// borrows it again, and at its start restores all such interfaces in its network namespace.
// Settings are never restored to another interface of the same name.
// Bound: one file of some 200 octets for each interface. Restoring needs CAP_NET_ADMIN
// (privileges.h).
// Not done here: private flags of drivers (nic/kernel_settings.h). A setting that someone else
// changed while the port was open is overwritten with the saved value. Without /run no file remains
// for the next process.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "pmd_glue/interface_claim.h"

namespace sluice::pmd {

// Settings by name; borrowed_interface.cc lists the names.
using InterfaceSettings = std::map<std::string, std::string, std::less<>>;

InterfaceSettings settings_of(const std::string& interface);
// Restores settings that differ from `before`. Does nothing if another interface has the name now.
void give_back(const std::string& interface, const InterfaceSettings& before);
// Convert settings to text, one `name value` a line, and back. Lines without a value are ignored.
std::string text_of(const InterfaceSettings& settings);
InterfaceSettings settings_in(std::string_view text);

class BorrowedInterface {
  public:
    BorrowedInterface() = default;  // has no interface
    // Call it before any setting of the interface is changed. It first restores the settings that a
    // killed process left. IPv6 is not restored unless the host shares the interface: otherwise the
    // kernel would send on the interface for an instant.
    BorrowedInterface(InterfaceClaim claim, std::string interface, bool is_shared);
    BorrowedInterface(BorrowedInterface&& other) noexcept { *this = std::move(other); }
    BorrowedInterface& operator=(BorrowedInterface&& other) noexcept;
    ~BorrowedInterface() { give_back(); }

    void give_back();
    // Called by a program that ends without restoring; the next sluice process then restores the
    // interface.
    void leave();

  private:
    InterfaceClaim claim_;
    std::string interface_;  // empty if there is no interface
    InterfaceSettings before_;
};

// Restores the interfaces that ended processes left in this network namespace, except claimed ones
// and those in `but`, which are about to be borrowed.
void give_back_what_was_left(std::span<const std::string> but);

}  // namespace sluice::pmd
