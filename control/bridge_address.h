// Bridge address: the address that names the switch in protocols, the lowest of its ports'
// addresses (802.1Q 13.26). The address is chosen once, at start, and does not change when ports
// are added or removed, because peers would take a switch with another address for another switch.
#pragma once

#include <algorithm>
#include <utility>

#include "config/configuration.h"
#include "dataplane/types/address.h"

namespace sluice::control {

inline MacAddress bridge_address(const config::Configuration& configuration) {
    // A vacant slot has no address.
    const auto rank = [](const PortSettings& port) {
        return std::pair(port.address.bits == 0, port.address.bits);
    };
    return std::ranges::min_element(configuration.settings.ports, {}, rank)->address;
}

}  // namespace sluice::control
