// Credit buffer: what a priority needs of buffer at the receiving end, so that the wire is busy
// with the longest frames: one bandwidth-delay product of the loop and a longest frame.
//
// The loop is the cable there and back, and how late both ends are besides, in which an octet may
// cost more than itself where the buffer has cells; and the frame twice: once until it has arrived
// in whole, once until it has left in whole. Where credit comes in quanta, what waits for one to
// be full, and as much again, for an update that is lost.
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
    Bytes longest{1522};  // frame, without FCS
    Bytes cell{1};
    Bytes quantum{1};
};

// Light in fibre and signals in copper: 1.98e8 m/s.
constexpr int64_t cable_picoseconds(int64_t millimetres) { return millimetres * 1000 / 198; }

constexpr Bytes credit_buffer_for(const CreditNeeds& needs) {
    const Wide octet = 8'000'000'000'000 / needs.speed.count();
    const Wide most = Wide{needs.loop_picoseconds} * worst_cell_overhead_128(needs.cell);
    const auto under_way = static_cast<int64_t>((most + octet * 128 - 1) / (octet * 128));
    const Bytes waiting = whole_cells(needs.quantum - Bytes(1), needs.cell);
    return whole_cells(Bytes(under_way), needs.cell) + whole_cells(needs.longest, needs.cell) * 3 +
           waiting * 2;
}

// The reserve of a group that may go by credit or by PFC, and needs one of the two at a time: what
// PFC has, or what a credit buffer needs beside the headroom. A frame stands in one of them alone,
// so where both are nearly full a longest frame more is needed.
constexpr Bytes credit_reserve_for(Bytes buffer, const CreditNeeds& needs, Bytes reserved,
                                   Bytes headroom) {
    const Bytes both = whole_cells(buffer, needs.cell) + whole_cells(needs.longest, needs.cell);
    return std::max(reserved, both - headroom);
}

}  // namespace sluice
