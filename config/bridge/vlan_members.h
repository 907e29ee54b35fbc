// VlanMembers: which ports of a file are in which VLAN: by their own `vlan`, or by `vlans`, or,
// where nothing is written, all in each; and the port that a mirror sends copies by in none.
//
// Looks once at the whole file; a question is a lookup by name. Not done here: whether names and
// VLANs are right (validate.h), and what the dataplane makes of it (loader.h).
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
    // What puts the port into the VLAN, if it is not.
    [[nodiscard]] std::optional<std::string_view> missing(const Value& port, int64_t vlan) const;

    const Value& vlans_;
    std::map<int64_t, std::set<std::string>> members_;  // names of ports, by VLAN
    std::set<std::string> mirrors_;                     // ports that send copies alone
};

}  // namespace sluice::config
