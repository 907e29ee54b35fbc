// Percent: converts shares to whole percentages that sum up to 100: all shares are rounded down,
// except those with the largest remainders, which are rounded up. Returns empty if all shares are
// 0.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "control/dcbx/model.h"

namespace sluice::dcbx {

inline std::optional<PerClass> in_percent(const std::array<unsigned, traffic_classes>& parts) {
    const unsigned total = std::accumulate(parts.begin(), parts.end(), 0U);
    if (total == 0) return std::nullopt;
    PerClass percent;
    std::array<unsigned, traffic_classes> remainder;
    unsigned missing = 100;
    for (std::size_t index = 0; index < traffic_classes; ++index) {
        percent[index] = static_cast<uint8_t>(parts[index] * 100 / total);
        remainder[index] = parts[index] * 100 % total;
        missing -= percent[index];
    }
    for (; missing > 0; --missing) {
        const auto largest = std::ranges::max_element(remainder);
        ++percent[static_cast<std::size_t>(largest - remainder.begin())];
        *largest = 0;
    }
    return percent;
}

}  // namespace sluice::dcbx
