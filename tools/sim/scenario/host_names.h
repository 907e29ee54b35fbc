// HostNames: finds the hosts of a scenario by name, and reports names that no host has.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

class HostNames {
  public:
    // `known`: false if other faults leave the hosts unknown, so that names cannot be checked.
    HostNames(const std::vector<HostSpec>& hosts, bool known);

    // Returns the numbers of the hosts that a key names, by a name, a list of names, or `all`; each
    // host once.
    [[nodiscard]] std::vector<std::size_t> named(Fields& fields, std::string_view key) const;
    // Returns nothing if no host has that name.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
    // Returns the remedy for a name that no host has.
    [[nodiscard]] std::string remedy(std::string_view instead) const;
    [[nodiscard]] bool known() const { return known_; }

  private:
    std::map<std::string, std::size_t, std::less<>> numbers_;
    bool known_;
};

}  // namespace sluice::sim
