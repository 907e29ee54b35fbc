// Kept out: keeps the machine's own IP stack off an interface that belongs to the switch. Otherwise
// the kernel answers ARP there for each address of the machine, with the port's MAC, and sends its
// own IPv6 frames: frames between such a host and the machine are then dropped as `same_port`.
//
// Sets arp_ignore to 8 (no answers) and disable_ipv6. Returns the settings that failed, one a line.
// Source: Documentation/networking/ip-sysctl.rst.
// Not done here: restoring (borrowed_interface.h).
#pragma once

#include <string>
#include <vector>

namespace sluice::pmd::packet {

std::vector<std::string> keep_machine_out(const std::string& interface);

}  // namespace sluice::pmd::packet
