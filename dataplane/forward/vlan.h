// VlanTable: which ports belong to a VLAN. Without filtering every port belongs to each.
// Bound: one read. Tags pass unchanged; a frame without one is bridged in its port's default VLAN.
// Follows 802.1Q 8.6.2 (ingress) and 8.6.4 (egress): one member set serves both.
#pragma once

#include <array>

#include "dataplane/limits.h"
#include "dataplane/settings.h"

namespace sluice {

class VlanTable {
  public:
    void configure(const VlanSettings& settings, PortSet ports) {
        members_ = settings.members;
        if (!settings.filtering) members_.fill(ports);
        members_[reserved_vlan] = 0;
    }
    [[nodiscard]] PortSet members(VlanId vlan) const { return members_[vlan]; }

  private:
    static constexpr VlanId reserved_vlan = 0xFFF;  // 802.1Q table 9-2: never on a wire

    std::array<PortSet, max_vlans> members_{};
};

}  // namespace sluice
