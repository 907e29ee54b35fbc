// Release: of DPDK, by year and month, as it names its own.
#pragma once

#include <compare>

namespace sluice::pmd {

struct Release {
    unsigned year = 0;
    unsigned month = 0;

    friend auto operator<=>(const Release&, const Release&) = default;
};

}  // namespace sluice::pmd
