// VlanMembers: finds the ports of each VLAN: by a port's own `vlan`, or by `vlans`; without either
// every port is in every VLAN. A port that only sends mirror copies is in no VLAN.
//
// Reads the whole file once; a query is a lookup by name. Not done here: checking names and VLANs
// (validate.h), and conversion to settings (loader.h).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

class VlanMembers {
  public:
    // `file` must be the whole file.
    explicit VlanMembers(const Value& file);

    // Reports a fault at `name`, which is the name of the port, unless the port is in the VLAN or
    // the VLANs have faults.
    void require(const Value& name, const Value& port, int64_t vlan, Report& report) const;

  private:
    // Returns the remedy that would add the port to the VLAN; nothing if the port is in the VLAN
    // already.
    [[nodiscard]] std::optional<std::string_view> missing(const Value& port, int64_t vlan) const;

    const Value& vlans_;
    std::map<int64_t, std::set<std::string>> members_;  // names of ports by VLAN
    std::set<std::string> mirrors_;                     // ports that only send mirror copies
};

}  // namespace sluice::config
