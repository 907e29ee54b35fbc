// VlanTable: which ports belong to a VLAN. Without filtering every port belongs to each.
// Bound: one read. Tags pass unchanged; a frame without one is bridged in its port's default VLAN.
// Follows 802.1Q 8.6.2 (ingress) and 8.6.4 (egress): one member set serves both.
#pragma once

#include "dataplane/limits.h"
#include "dataplane/settings.h"

namespace sluice {

class VlanTable {
  public:
    void configure(const VlanSettings& settings, PortSet ports) {
        settings_ = settings;
        ports_ = ports;
    }
    [[nodiscard]] PortSet members(VlanId vlan) const {
        return settings_.filtering ? settings_.members[vlan] : ports_;
    }
    [[nodiscard]] bool filtering() const { return settings_.filtering; }

  private:
    VlanSettings settings_;
    PortSet ports_ = 0;
};

}  // namespace sluice
