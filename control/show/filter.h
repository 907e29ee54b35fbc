// ShowFilter: which rows of a noun are wanted: those of ports, of a VLAN, of an address, of a
// priority. All that is given has to match.
//
// A row is of a port that it names, alone or in a list, at either end. A noun whose rows have no
// such key refuses the filter, so that nobody takes all for a part.
// Not done here: which names ports have (the caller looks); `fdb`, whose rows are left out before
// they are made (fdb.h).
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
    std::vector<std::string> ports;  // names of these or of their aggregations; empty: all
    std::optional<VlanId> vlan;
    std::optional<MacAddress> address;
    std::optional<Priority> priority;

    [[nodiscard]] bool wants_all() const { return ports.empty() && !vlan && !address && !priority; }
    [[nodiscard]] bool names(std::string_view port) const {
        return std::ranges::find(ports, port) != ports.end();
    }
};

// Why the noun cannot be filtered so, and by what it can. Empty: it can.
std::string refusal_of(const ShowFilter& filter, std::string_view noun);
// `shown` without the rows that are not wanted.
Json filtered(std::string_view noun, Json shown, const ShowFilter& filter);

}  // namespace sluice::control
