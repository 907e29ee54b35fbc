// VlanTable: holds the member ports of each VLAN, and those that send it untagged. Without
// filtering every port is a member of every VLAN. A port that only receives mirror copies is a
// member of none.
// It also holds which VLANs do not learn addresses, do not flood unknown unicast, or suppress
// neighbour requests.
// Bound: one read a frame, and one more for a frame that a tag-aware port sends. Learning is
// checked only for new sources, flooding only if some VLAN does not flood.
// Follows 802.1Q 8.6.2 (ingress) and 8.6.4 (egress), where one member set serves both, and 8.8.10
// (untagged set). A port that is not tag-aware does not change the tag of a frame.
#pragma once

#include <array>
#include <bitset>

#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/tag.h"

namespace sluice {

class VlanTable {
  public:
    void configure(const Settings& settings) {
        const PortSet ports = first_ports(settings.ports.size());
        members_ = settings.vlan.members;
        if (!settings.vlan.filtering) members_.fill(ports);
        members_[reserved_vlan] = 0;
        const PortSet apart = only_mirrored_to(settings.mirrors);
        for (PortSet& members : members_) members &= ~apart;
        untagged_ = settings.vlan.untagged;
        unlearned_ = settings.vlan.unlearned;
        unflooded_ = settings.vlan.unflooded;
        neigh_suppress_ = settings.vlan.neigh_suppress;
        suppresses_any_ = neigh_suppress_.any();
        floods_everywhere_ = unflooded_.none();
        aware_ = service_ = 0;
        for (PortIndex port = 0; port < settings.ports.size(); ++port) {
            const TaggingSettings& tagging = settings.ports[port].tagging;
            if (tagging.aware) aware_ |= only(port);
            if (tagging.type == TagType::service) service_ |= only(port);
        }
    }
    [[nodiscard]] PortSet members(VlanId vlan) const { return members_[vlan]; }
    [[nodiscard]] bool learns(VlanId vlan) const { return !unlearned_[vlan]; }
    // Return whether every VLAN floods unknown unicast; and whether `vlan` does.
    [[nodiscard]] bool floods_everywhere() const { return floods_everywhere_; }
    [[nodiscard]] bool floods(VlanId vlan) const { return !unflooded_[vlan]; }
    // Return whether any VLAN suppresses neighbour requests; and whether `vlan` does.
    [[nodiscard]] bool suppresses_any() const { return suppresses_any_; }
    [[nodiscard]] bool suppresses(VlanId vlan) const { return neigh_suppress_[vlan]; }

    [[nodiscard]] bool edits_tags() const { return aware_ != 0; }
    [[nodiscard]] TagEdit tag_edit(VlanId vlan, const TagForm& came, PortIndex output) const {
        const PortSet bit = only(output);
        if ((aware_ & bit) == 0) return TagEdit::none;
        if ((untagged_[vlan] & bit) != 0) return came.tagged ? TagEdit::pop : TagEdit::none;
        const TagType type = (service_ & bit) != 0 ? TagType::service : TagType::customer;
        if (!came.tagged) return push(type);
        return came.names_vlan && came.type == type ? TagEdit::none : set(type);
    }

  private:
    static constexpr VlanId reserved_vlan = 0xFFF;  // 802.1Q table 9-2: never on a wire

    std::array<PortSet, max_vlans> members_{};
    std::array<PortSet, max_vlans> untagged_{};
    std::bitset<max_vlans> unlearned_;
    std::bitset<max_vlans> unflooded_;
    std::bitset<max_vlans> neigh_suppress_;
    bool floods_everywhere_ = true;
    bool suppresses_any_ = false;
    PortSet aware_ = 0;
    PortSet service_ = 0;  // ports with service tags; other ports have customer tags
};

}  // namespace sluice
