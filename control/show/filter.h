// ShowFilter: selects rows of a noun by ports, VLAN, address and priority. All given conditions
// have to match.
//
// A row matches a port that it names, alone or in a list, at either end. A noun whose rows have no
// key for a condition refuses the filter, so that a complete list is never mistaken for a filtered
// list. Not done here: checking that ports exist (the caller does); filtering `fdb`, whose rows are
// filtered before they are made (fdb.h).
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/show/json.h"
#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

struct ShowFilter {
    std::vector<std::string> ports;  // names of ports or of their aggregations; empty: all
    std::optional<VlanId> vlan;
    std::optional<MacAddress> address;
    std::optional<Priority> priority;

    [[nodiscard]] bool wants_all() const { return ports.empty() && !vlan && !address && !priority; }
    [[nodiscard]] bool names(std::string_view port) const {
        return std::ranges::find(ports, port) != ports.end();
    }
};

// Returns why the filter does not fit the noun, and which filters do. Returns empty if it fits.
std::string refusal_of(const ShowFilter& filter, std::string_view noun);
// Returns `shown` without the rows that do not match.
Json filtered(std::string_view noun, Json shown, const ShowFilter& filter);

}  // namespace sluice::control
