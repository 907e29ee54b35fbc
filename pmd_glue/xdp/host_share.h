// HostShare: what of an af_xdp interface's frames stays the host's (`ports[].host`).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dataplane/types/address.h"

namespace sluice::pmd::xdp {

// Frames for which all holds that it says.
struct HostRule {
    std::optional<MacAddress> mac;      // of the destination
    std::optional<uint16_t> vlan;       // of the outer tag; 0: none
    std::optional<uint16_t> ethertype;  // behind the tags
};

struct HostShare {
    bool addresses = false;       // its own MAC; ARP and ND for its IP addresses
    std::vector<HostRule> rules;  // at most xdp_most_rules (layout.h)

    [[nodiscard]] bool shares() const { return addresses || !rules.empty(); }
};

}  // namespace sluice::pmd::xdp
