// Kept out: the machine's own network, off an interface that is the switch's. Without it the kernel
// answers ARP there for each address that the machine has, with the port's MAC, and sends IPv6 of
// its own: where a host has such an address too, both are `same_port`.
//
// Sets arp_ignore to 8 (it answers for none) and disable_ipv6. Returns what it could not set, a
// line each.
// Source: Documentation/networking/ip-sysctl.rst.
// Not done here: giving back (borrowed_interface.h).
#pragma once

#include <string>
#include <vector>

namespace sluice::pmd::packet {

std::vector<std::string> keep_machine_out(const std::string& interface);

}  // namespace sluice::pmd::packet
