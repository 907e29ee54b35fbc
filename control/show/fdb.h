// The noun `fdb`: addresses, by family, VLAN and address.
//
// Bound: looks at every slot; what a filter does not want is left out before it becomes JSON, so
// that a question about one port costs little where there are a million addresses. A page holds as
// many rows as it is long, also while they are looked for.
#pragma once

#include <cstddef>
#include <optional>

#include "control/show/filter.h"
#include "control/show/snapshot.h"

namespace sluice::control {

// The first rows, or those behind an address, which need not be there.
struct FdbPage {
    std::size_t limit = 0;  // 1 to longest_fdb_page
    VlanId vlan = 0;        // 0: from the beginning
    MacAddress address = {};
};
inline constexpr std::size_t longest_fdb_page = 10'000;

Json fdb_snapshot(const View& view, const ShowFilter& filter = {},
                  const std::optional<FdbPage>& page = {});

}  // namespace sluice::control
