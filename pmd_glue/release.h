// Release: a release of DPDK, by year and month, such as 22.11.
#pragma once

#include <compare>

namespace sluice::pmd {

struct Release {
    unsigned year = 0;
    unsigned month = 0;

    friend auto operator<=>(const Release&, const Release&) = default;
};

}  // namespace sluice::pmd
