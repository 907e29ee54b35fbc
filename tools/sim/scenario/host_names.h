// HostNames: the hosts of a scenario by name: which of them a key names, with every fault.
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
    // `known` false: because of other faults the hosts are not known, so names cannot be checked.
    HostNames(const std::vector<HostSpec>& hosts, bool known);

    // Returns the numbers of the hosts that a name, a list of names, or `all` stands for, each
    // once.
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
