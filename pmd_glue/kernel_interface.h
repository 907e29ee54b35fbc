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
    unsigned index = 0;      // 0: there is none of that name
    bool up = false;         // set up, and with carrier
    BitsPerSecond speed{0};  // 0: it does not say
};
InterfaceState interface_state(const std::string& name);

// Which offloads of an interface are switched off. `all`: all by which the kernel would hand over
// frames that were never on a wire (merged, without their tag or their checksum). `merging`: only
// those that merge frames irreversibly, for a port that finishes checksums and cuts segments itself
// (packet/).
enum class OffloadsOff : uint8_t { all, merging };

// Prepares `name` for switching: up; no IPv6 of the host, unless the host shares the interface; and
// without these offloads. Returns what failed, a line each. The offloads of the other end of a veth
// have to be set there.
std::vector<std::string> prepare_kernel_interface(const std::string& name, bool is_shared,
                                                  OffloadsOff which);

// As `ip link set NAME up` and `down` do.
std::optional<Error> set_interface_up(const std::string& name, bool up);

// Sets the MTU unless it is that already.
std::optional<Error> set_interface_mtu(const std::string& name, uint16_t mtu);
// The same with room for two tags: the kernel counts tags, except one of 802.1Q, as payload, and
// drops frames that are then too long. If the interface refuses the longer MTU, that is a line in
// `notices`, not an error.
std::optional<Error> set_interface_mtu_and_tags(const std::string& name, uint16_t mtu,
                                                std::vector<std::string>& notices);

// Returns why `name` cannot be used, and the command that helps; nothing if it can.
std::optional<Error> check_interface_exists(const std::string& key, const std::string& name);

// An interface spreads what arrives over its receive queues, and a port sees only those it opened.
std::optional<Error> check_receive_queues(const std::string& key, const std::string& name,
                                          unsigned wanted);

enum class Capability : uint8_t { net_admin = 12, net_raw = 13 };
std::optional<Error> check_capability(const std::string& key, Capability capability);

}  // namespace sluice::pmd
