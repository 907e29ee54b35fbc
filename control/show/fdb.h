// The noun `fdb`: addresses, by family, VLAN and address.
//
// Bound: looks at every slot; a filter is applied before a row becomes JSON, so that a request for
// one port costs little with a million addresses. Needs memory for one page of rows only, also
// during the search.
#pragma once

#include <cstddef>
#include <optional>

#include "control/show/filter.h"
#include "control/show/snapshot.h"

namespace sluice::control {

// A page of rows: the first rows, or the rows after an address. The FDB need not have that address.
struct FdbPage {
    std::size_t limit = 0;  // 1 to longest_fdb_page
    VlanId vlan = 0;        // 0: from the first row on
    MacAddress address = {};
};
inline constexpr std::size_t longest_fdb_page = 10'000;

Json fdb_snapshot(const View& view, const ShowFilter& filter = {},
                  const std::optional<FdbPage>& page = {});

}  // namespace sluice::control
