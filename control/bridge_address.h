// What the switch is called by protocols that name it by an address: the lowest of its ports'
// (802.1Q 13.26).
#pragma once

#include <algorithm>

#include "config/configuration.h"
#include "dataplane/address.h"

namespace sluice::control {

inline MacAddress bridge_address(const config::Configuration& configuration) {
    return std::ranges::min_element(configuration.settings.ports, {}, &PortSettings::address)
        ->address;
}

}  // namespace sluice::control
