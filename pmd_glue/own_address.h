// Own address: the address of a port whose device brings none (memif, vhost, TAP, rings, captures,
// tunnels). It is made of something that is the machine's own, of the device string and the port's
// name, so that two switches with equal files have different addresses, and a switch has the same
// ones after a restart. Everything that names a switch in protocols is one of its ports' addresses:
// the bridge address (control/bridge_address.h) of LLDP, LACP and the loop guard, and the source of
// pauses.
// Bound: 40 bits of a hash; a thousand switches with 64 such ports on one segment have two
// addresses alike once in 500 times.
// Not done here: what is the machine's own (control/runtime/machine_identity.h); that of a tunnel
// is the address of the port below it.
#pragma once

#include <cstdint>
#include <string_view>

#include "dataplane/forward/hash.h"
#include "dataplane/types/address.h"

namespace sluice::pmd {

// Locally administered, of one station. Some devices, such as `null:`, are opened by several ports.
constexpr MacAddress own_address(uint64_t identity, std::string_view device,
                                 std::string_view port) {
    constexpr uint64_t locally_administered = 0x020000000000;
    return {locally_administered | hash_of(port, hash_of(device, identity)) >> 24};
}

}  // namespace sluice::pmd
