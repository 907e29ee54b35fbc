// CreditTerms: the terms of one direction of a link with credit, which its receiving end reports:
// the lossless priorities, each a virtual channel; the buffer of each of them; and the cost of a
// frame. A frame costs its octets without FCS, at least 60, in whole cells, and never more than the
// whole buffer, so that a frame longer than the buffer passes when the buffer is empty.
//
// Credit is counted in octets, from the start of the session and modulo 2^32. Consumed credit is
// compared with the limit and with the received octets. These counts never differ by more than a
// buffer, as the sender stops at the limit. So the sign of a difference modulo 2^32 shows which
// count is ahead, even after losses, if a buffer is at most 2^30. InfiniBand counts blocks in the
// same way, modulo 4096 (Architecture Specification, volume 1, 7.9.4.2), and PCI Express counts
// credits (Base Specification, 2.6.1).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "dataplane/buffer/headroom.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

using CreditCount = uint32_t;
using CreditCounts = std::array<CreditCount, max_priorities>;

inline constexpr Bytes largest_credit_buffer{int64_t{1} << 30};

// Returns by how much `count` is ahead of `other`; negative if `other` is ahead.
constexpr Bytes ahead_of(CreditCount count, CreditCount other) {
    return Bytes(static_cast<int32_t>(count - other));
}
constexpr CreditCount advanced(CreditCount count, Bytes by) {
    return count + static_cast<CreditCount>(by.count());
}

struct CreditTerms {
    PrioritySet lossless = 0;
    Bytes buffer{};  // buffer of each priority
    Bytes cell{1};

    static constexpr Bytes shortest{60};  // a device pads shorter frames

    [[nodiscard]] constexpr bool is_lossless(Priority priority) const {
        return (lossless & only_priority(priority)) != 0;
    }
    [[nodiscard]] constexpr Bytes cost(Bytes length) const {
        assert(length.count() >= 0);
        return std::min(whole_cells(std::max(length, shortest), cell), buffer);
    }

    friend constexpr bool operator==(const CreditTerms&, const CreditTerms&) = default;
};

}  // namespace sluice
