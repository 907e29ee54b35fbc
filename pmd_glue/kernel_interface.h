// Kernel interface: queries and sets up a network interface of the kernel before and while a port
// uses it (af_packet, af_xdp, tap).
//
// Not done here: restoring (borrowed_interface.h).
// Names are those in the process's own network namespace. Nothing here keeps state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dataplane/types/units.h"
#include "pmd_glue/error.h"

namespace sluice::pmd {

struct InterfaceState {
    unsigned index = 0;      // 0 if there is no such interface
    bool up = false;         // set up, and with carrier
    BitsPerSecond speed{0};  // 0 if the interface reports none
};
InterfaceState interface_state(const std::string& name);

// Which offloads of an interface are switched off. `all`: all by which the kernel would pass on
// frames that were never on a wire (merged, without their tag or their checksum). `merging`: only
// those that merge frames irreversibly, for a port that completes checksums and segments itself
// (packet/).
enum class OffloadsOff : uint8_t { all, merging };

// Prepares `name` for switching: sets it up, disables the host's IPv6 unless the host shares the
// interface, and switches off the offloads of `which`. Returns the failures, one a line. Offloads
// of a veth's other end have to be switched off at that end.
std::vector<std::string> prepare_kernel_interface(const std::string& name, bool is_shared,
                                                  OffloadsOff which);

// Works like `ip link set NAME up` and `down`.
std::optional<Error> set_interface_up(const std::string& name, bool up);

// Sets the MTU if it differs.
std::optional<Error> set_interface_mtu(const std::string& name, uint16_t mtu);
// Sets the MTU and room for two tags: the kernel counts tags, except one of 802.1Q, as payload, and
// drops frames that are then too long. If the interface refuses the longer MTU, a line is added to
// `notices`, and no error is returned.
std::optional<Error> set_interface_mtu_and_tags(const std::string& name, uint16_t mtu,
                                                std::vector<std::string>& notices);

// Returns why `name` cannot be used, and the remedy; nothing if it can.
std::optional<Error> check_interface_exists(const std::string& key, const std::string& name);

// Returns an error if the interface does not have `wanted` receive queues: the interface spreads
// frames over all its queues, and a port receives only from queues that it opened.
std::optional<Error> check_receive_queues(const std::string& key, const std::string& name,
                                          unsigned wanted);

enum class Capability : uint8_t { net_admin = 12, net_raw = 13 };
std::optional<Error> check_capability(const std::string& key, Capability capability);

}  // namespace sluice::pmd
