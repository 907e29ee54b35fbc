// Own address: makes the MAC address of a port whose device has none (memif, vhost, TAP, rings,
// captures, tunnels). It is a hash of the machine's identity, the device string and the port's
// name. So two switches with equal files have different addresses, and a switch has the same
// addresses after a restart. All identifiers of a switch in protocols are addresses of its ports:
// the bridge address (control/bridge_address.h) of LLDP, LACP and the loop guard, and the source of
// pauses.
// Bound: 40 bits of a hash: among a thousand switches with 64 such ports on one segment, the chance
// of two equal addresses is one in 500.
// Not done here: the machine's identity (control/runtime/machine_identity.h); the address of a
// tunnel, which is that of the port below it.
#pragma once

#include <cstdint>
#include <string_view>

#include "dataplane/forward/hash.h"
#include "dataplane/types/address.h"

namespace sluice::pmd {

// Returns a locally administered, individual address. The port's name is hashed since several ports
// may have one device string, such as `null:`.
constexpr MacAddress own_address(uint64_t identity, std::string_view device,
                                 std::string_view port) {
    constexpr uint64_t locally_administered = 0x020000000000;
    return {locally_administered | hash_of(port, hash_of(device, identity)) >> 24};
}

}  // namespace sluice::pmd
