// Destination: the group addresses to which LLDP frames are sent (IEEE 802.1AB-2016 table 7-1). The
// address decides how far a frame is forwarded, so each address has its own set of neighbours.
//
// DCBX, credit and pauses use only the neighbours by the address of the nearest bridge.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "dataplane/types/address.h"
#include "dataplane/types/enum_count.h"

namespace sluice::lldp {

enum class Destination : uint8_t {
    nearest_bridge,           // bridges of no kind forward frames to this address
    nearest_non_tpmr_bridge,  // only two-port MAC relays forward frames to this address
    nearest_customer_bridge,  // provider bridges forward frames to this address as well
    last = nearest_customer_bridge
};

struct DestinationRow {
    MacAddress address;
    std::string_view name;
};
inline constexpr std::array<DestinationRow, 3> destinations = {{
    {lldp_address, "nearest_bridge"},
    {{0x0180C2000003}, "nearest_non_tpmr_bridge"},
    {bridge_group_address, "nearest_customer_bridge"},
}};
static_assert(destinations.size() == count_of<Destination>);

using DestinationSet = uint8_t;
constexpr DestinationSet only(Destination destination) {
    return static_cast<DestinationSet>(1U << static_cast<unsigned>(destination));
}

constexpr MacAddress address_of(Destination destination) {
    return destinations[static_cast<std::size_t>(destination)].address;
}
constexpr std::string_view name_of(Destination destination) {
    return destinations[static_cast<std::size_t>(destination)].name;
}
constexpr std::optional<Destination> destination_of(MacAddress address) {
    for (std::size_t index = 0; index < destinations.size(); ++index) {
        if (destinations[index].address == address) return static_cast<Destination>(index);
    }
    return {};
}

}  // namespace sluice::lldp
