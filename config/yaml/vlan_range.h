// VLAN range: packs the first and the last VLAN of a Kind::vlans value (schema.h) into one number.
#pragma once

#include <cstdint>

namespace sluice::config {

struct VlanRange {
    int64_t first = 0;
    int64_t last = 0;

    static constexpr VlanRange of(int64_t number) { return {number / vlans, number % vlans}; }
    [[nodiscard]] constexpr int64_t number() const { return first * vlans + last; }
    [[nodiscard]] constexpr bool contains(int64_t vlan) const {
        return vlan >= first && vlan <= last;
    }

  private:
    static constexpr int64_t vlans = 4096;
};

}  // namespace sluice::config
