// VlanMembers: which ports of a file are in which VLAN: by their own `vlan`, or by `vlans`; without
// either every port is in every VLAN. A port that a mirror sends copies to is in no VLAN.
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
    // `file` is the whole one.
    explicit VlanMembers(const Value& file);

    // A fault at `name`, which says the port, unless it is in the VLAN or that cannot be known.
    void require(const Value& name, const Value& port, int64_t vlan, Report& report) const;

  private:
    // The key that would put the port into the VLAN; empty: the port is in it.
    [[nodiscard]] std::optional<std::string_view> missing(const Value& port, int64_t vlan) const;

    const Value& vlans_;
    std::map<int64_t, std::set<std::string>> members_;  // names of ports, by VLAN
    std::set<std::string> mirrors_;                     // ports that send copies alone
};

}  // namespace sluice::config
