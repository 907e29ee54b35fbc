// A switch that snoops IGMP, and the report of a host that is a member of a group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "dataplane/types/settings.h"
#include "tests/support/membership_octets.h"
#include "tests/support/rig.h"

namespace sluice::test {

inline constexpr uint32_t group_a = 0xE1010203;

inline Settings listening(std::size_t ports, uint8_t workers = 1) {
    Settings settings = settings_of(ports, workers);
    settings.multicast.snooping.fill(only_protocol(GroupProtocol::igmp));
    return settings;
}
inline Octets report(PortIndex port, std::optional<Tag> tag = {}) {
    return framed(igmp(igmp_report_2, group_a), mac_of(group_a), station(port), tag);
}

}  // namespace sluice::test
