// CreditTerms: what both ends of one direction of a link by credit go by, as its receiving end says
// it: the lossless priorities, each a virtual channel; the buffer that each of them has there; and
// what a frame takes of that: its octets without FCS in whole cells, 60 of them at the least, and
// never more than there is in all, so that one which is longer than the buffer comes through when
// nothing else is there.
//
// Credit is counted in octets, from the first on and modulo 2^32. What is compared, what was
// consumed with what may be and with what came, is never further apart than a buffer, as the sender
// stops there; so the sign of a difference modulo 2^32 says which is ahead, whatever was lost and
// for however long, as long as a buffer is at most 2^30. That is how InfiniBand counts blocks,
// modulo 4096 (Architecture Specification, volume 1, 7.9.4.2), and PCI Express credits (Base
// Specification, 2.6.1).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "dataplane/buffer/headroom.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

using CreditCount = uint32_t;
using CreditCounts = std::array<CreditCount, max_priorities>;

inline constexpr Bytes largest_credit_buffer{int64_t{1} << 30};

// By how much the first is ahead; below zero, where it is behind.
constexpr Bytes ahead_of(CreditCount count, CreditCount other) {
    return Bytes(static_cast<int32_t>(count - other));
}
constexpr CreditCount advanced(CreditCount count, Bytes by) {
    return count + static_cast<CreditCount>(by.count());
}

struct CreditTerms {
    PrioritySet lossless = 0;
    Bytes buffer{};  // of each priority
    Bytes cell{1};

    static constexpr Bytes shortest{60};  // a device fills up a frame that is shorter

    [[nodiscard]] constexpr bool is_lossless(Priority priority) const {
        return (lossless & only_priority(priority)) != 0;
    }
    [[nodiscard]] constexpr Bytes cost(Bytes length) const {
        return std::min(whole_cells(std::max(length, shortest), cell), buffer);
    }

    friend constexpr bool operator==(const CreditTerms&, const CreditTerms&) = default;
};

}  // namespace sluice
