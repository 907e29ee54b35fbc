// What the switch is called by protocols that name it by an address: the lowest of its ports'
// (802.1Q 13.26). Asked for at start alone: peers take one that is called otherwise for another, so
// what it is called stays, whatever ports come and go.
#pragma once

#include <algorithm>
#include <utility>

#include "config/configuration.h"
#include "dataplane/address.h"

namespace sluice::control {

inline MacAddress bridge_address(const config::Configuration& configuration) {
    // A vacant place has none.
    const auto rank = [](const PortSettings& port) {
        return std::pair(port.address.bits == 0, port.address.bits);
    };
    return std::ranges::min_element(configuration.settings.ports, {}, rank)->address;
}

}  // namespace sluice::control
