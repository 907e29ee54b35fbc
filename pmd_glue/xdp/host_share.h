// HostShare: which frames of an af_xdp interface the host keeps (`ports[].host`).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dataplane/types/address.h"

namespace sluice::pmd::xdp {

// A frame that matches all fields that are set.
struct HostRule {
    std::optional<MacAddress> mac;      // destination address
    std::optional<uint16_t> vlan;       // VLAN of the outer tag; 0 for an untagged frame
    std::optional<uint16_t> ethertype;  // EtherType after the tags
};

struct HostShare {
    // Frames for the interface's own MAC, and ARP and ND for its IP addresses.
    bool addresses = false;
    std::vector<HostRule> rules;  // at most xdp_most_rules (layout.h)

    [[nodiscard]] bool shares() const { return addresses || !rules.empty(); }
};

}  // namespace sluice::pmd::xdp
