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
    // Whether the host keeps frames whose destination is the interface's own MAC address, and ARP
    // and neighbour discovery for the interface's IP addresses.
    bool addresses = false;
    std::vector<HostRule> rules;  // at most xdp_most_rules (layout.h)

    [[nodiscard]] bool shares() const { return addresses || !rules.empty(); }
};

}  // namespace sluice::pmd::xdp
