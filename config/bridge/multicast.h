// Multicast: rules between the keys about multicast groups, and their conversion to settings.
// Not done here: checking single keys (reader.h).
#pragma once

#include <map>
#include <string>

#include "config/bridge/vlan_members.h"
#include "config/configuration.h"
#include "config/port/port_names.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

// Checks that the ports of a group exist, are of one family and in the group's VLAN; that a group
// is listed once, in the notation of its ports' format, and is not one that is always flooded; and
// that the table has room for all groups. Checks that the querier has a unicast address, queries
// only VLANs with snooping, and queries more often than memberships age.
void check_multicast(const Value& file, const PortNames& names, const VlanMembers& members,
                     Report& report);

MulticastSettings multicast_settings(const Value& file,
                                     const std::map<std::string, PortIndex, std::less<>>& indices);

QuerierConfig querier_config(const Value& querier);

}  // namespace sluice::config
