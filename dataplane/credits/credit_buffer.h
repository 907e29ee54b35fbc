// Credit buffer: computes the buffer that a priority needs at the receiving end to keep the wire
// busy with the longest frames: one bandwidth-delay product of the loop and one longest frame.
//
// The loop is the cable in both directions, plus the delay of both ends; if the buffer has cells,
// an octet of that delay may cost more than one octet of buffer. The frame counts twice: while it
// is being received, and while it is being sent. If credit is returned in quanta, one quantum that
// is not full yet is added, and one more for a lost update.
// Follows notes on flow control of high speed networks (one BDP suffices, and less does not), and
// Kung, Blackwell and Chapman (SIGCOMM 1994).
#pragma once

#include <algorithm>
#include <cstdint>

#include "dataplane/buffer/headroom.h"
#include "dataplane/types/units.h"

namespace sluice {

struct CreditNeeds {
    int64_t loop_picoseconds = 0;
    BitsPerSecond speed{10'000'000'000};
    Bytes longest{1522};  // longest frame, without FCS
    Bytes cell{1};
    Bytes quantum{1};
};

// Returns the delay of a cable: light in fibre and signals in copper travel at 1.98e8 m/s.
constexpr int64_t cable_picoseconds(int64_t millimetres) { return millimetres * 1000 / 198; }

constexpr Bytes credit_buffer_for(const CreditNeeds& needs) {
    const Wide octet = 8'000'000'000'000 / needs.speed.count();
    const Wide most = Wide{needs.loop_picoseconds} * worst_cell_overhead_128(needs.cell);
    const auto under_way = static_cast<int64_t>((most + octet * 128 - 1) / (octet * 128));
    const Bytes waiting = whole_cells(needs.quantum - Bytes(1), needs.cell);
    return whole_cells(Bytes(under_way), needs.cell) + whole_cells(needs.longest, needs.cell) * 3 +
           waiting * 2;
}

// Returns the reserve of a group that uses credit or PFC, one at a time: the larger of the reserve
// for PFC and the part of the credit buffer that exceeds the headroom. A frame is charged either to
// the reserve or to the headroom, so one longest frame is added in case both are nearly full.
constexpr Bytes credit_reserve_for(Bytes buffer, const CreditNeeds& needs, Bytes reserved,
                                   Bytes headroom) {
    const Bytes both = whole_cells(buffer, needs.cell) + whole_cells(needs.longest, needs.cell);
    return std::max(reserved, both - headroom);
}

}  // namespace sluice
