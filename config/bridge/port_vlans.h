// PortVlans: returns the VLANs that a port has by its own `vlan`, and its untagged VLAN.
//
// A port in mode `transparent` has no VLAN by its own `vlan`: it is in the VLANs of `vlans` that
// list it or, without `vlans`, in every VLAN. To be used after the keys were read; invalid values
// count as no VLAN.
// Not done here: rules between ports (validate.h).
#pragma once

#include <optional>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/limits.h"

namespace sluice::config {

inline constexpr VlanId reserved_vlan = 4095;  // 802.1Q table 9-2

// Returns whether the port is an access port or a trunk.
bool is_aware_of_tags(const Value& port);
// Returns whether the port's own `vlan` has this VLAN, as access VLAN, native VLAN or allowed VLAN.
bool has_vlan(const Value& port, VlanId vlan);
// Returns the VLAN of frames without a tag; a trunk may have none.
std::optional<VlanId> untagged_vlan(const Value& port);
// Reports keys of `vlan` that have no meaning in the port's mode.
void check_vlan_keys(const Value& file, const Value& port, Report& report);

}  // namespace sluice::config
