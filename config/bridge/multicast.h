// Multicast: what the file says of groups: the rules between its keys, and the settings that they
// become.
// Not done here: one key by itself (reader.h).
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

// Ports exist, are of one family and in the group's VLAN; a group is there once, as its ports'
// format writes it, and is none that goes to everybody; all fit. The querier has an address of a
// station, asks where is snooped, and before who answers has aged.
void check_multicast(const Value& file, const PortNames& names, const VlanMembers& members,
                     Report& report);

MulticastSettings multicast_settings(const Value& file,
                                     const std::map<std::string, PortIndex, std::less<>>& indices);

QuerierConfig querier_config(const Value& querier);

}  // namespace sluice::config
