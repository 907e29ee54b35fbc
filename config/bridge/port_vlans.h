// PortVlans: the VLANs that a port has by its own `vlan`, and its untagged VLAN.
//
// A port in mode `transparent` has no VLAN by itself: it is in the VLANs of `vlans` that list it,
// or, without `vlans`, in every VLAN. Use it after the keys were read; invalid values count as no
// VLAN.
// Not done here: rules between ports (validate.h).
#pragma once

#include <optional>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/limits.h"

namespace sluice::config {

inline constexpr VlanId reserved_vlan = 4095;  // 802.1Q table 9-2

// Whether the port has a VLAN mode of its own.
bool is_aware_of_tags(const Value& port);
// By its own `vlan`: the one of an access port, the native one of a trunk or any that is allowed.
bool has_vlan(const Value& port, VlanId vlan);
// The VLAN of an untagged frame; a trunk may have none.
std::optional<VlanId> untagged_vlan(const Value& port);
// Which of its keys have no meaning beside its mode.
void check_vlan_keys(const Value& file, const Value& port, Report& report);

}  // namespace sluice::config
