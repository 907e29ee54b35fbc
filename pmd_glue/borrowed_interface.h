// Borrowed interface: a kernel interface as it was before a port changed it, and is again once the
// port is closed: promiscuous, all groups, MTU, every feature (offloads, `ethtool -k`), 802.3x,
// arp_ignore and disable_ipv6. It stays up.
//
// What is noted is written into the file of the interface's claim (interface_claim.h), which a
// process that is killed leaves behind: the next one of ours gives the interface back before it
// borrows it anew, and at its start all that were left in its network namespace. Nothing is given
// back to another interface of the same name.
// Bound: one file of some 200 octets an interface. To give back takes CAP_NET_ADMIN (privileges.h).
// Not done here: private flags of drivers (nic/kernel_settings.h), what others changed meanwhile: a
// setting goes back to what was noted. Without /run nothing is left behind for the next one.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pmd_glue/interface_claim.h"

namespace sluice::pmd {

// By the names of the source.
using InterfaceSettings = std::map<std::string, std::string, std::less<>>;

InterfaceSettings settings_of(const std::string& interface);
// Sets what is otherwise now. Does nothing where it is another interface by now.
void give_back(const std::string& interface, const InterfaceSettings& before);
// One line each. What is not understood is left out.
std::string text_of(const InterfaceSettings& settings);
InterfaceSettings settings_in(std::string_view text);

class BorrowedInterface {
  public:
    BorrowedInterface() = default;  // none
    // Before anything of it is changed. Gives back what was left first, but IPv6 where the
    // interface is not shared with the host: for an instant the kernel would send by it.
    BorrowedInterface(InterfaceClaim claim, std::string interface, bool is_shared);
    BorrowedInterface(BorrowedInterface&& other) noexcept { *this = std::move(other); }
    BorrowedInterface& operator=(BorrowedInterface&& other) noexcept;
    ~BorrowedInterface() { give_back(); }

    void give_back();
    // For who ends without: the next one does it.
    void leave();

  private:
    InterfaceClaim claim_;
    std::string interface_;  // empty: none
    InterfaceSettings before_;
};

// Of processes that are gone, in this network namespace: those that nobody has by now. `but`: those
// that are to be borrowed.
void give_back_what_was_left(std::span<const std::string> but);

}  // namespace sluice::pmd
