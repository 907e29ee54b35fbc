// DefaultLevels: XOFF and XON of a lossless priority where the file does not say them.
//
// After an XON is due, what waits goes on leaving until the peer's next frame is there: a round
// trip, which is what headroom_for adds up (buffer/headroom.h). XON is at so much, in frames that
// fill their cells, so that a pause leaves no gap; XOFF so much above XON, and at twice that at
// least, so that pauses are no more frequent than round trips. A round trip counts as 64 KiB at
// least, two bursts of frames of 1500 octets; XON is no more than half of an XOFF that is written.
// The delay of a relay is not in it: a pause that crosses a WAN leaves a gap, unless XON is written
// for as much as leaves meanwhile.
// Bound: XON is not above XOFF unless both are written so, whatever the speed.
// Short frames take more cells and leave a gap; nothing is lost by that.
#pragma once

#include <algorithm>
#include <optional>

#include "dataplane/buffer/headroom.h"
#include "dataplane/types/units.h"

namespace sluice {

// What the file says; of the other nothing.
struct WrittenLevels {
    std::optional<Bytes> xoff;
    std::optional<Bytes> xon;
};

struct Levels {
    Bytes xoff;
    Bytes xon;
};

constexpr Levels levels_for(HeadroomNeeds needs, const WrittenLevels& written) {
    constexpr Bytes least_xon{64 * 1024};
    needs.cell_overhead_128 = 128;
    needs.relay_delay = Nanos(0);
    const Bytes round_trip = std::max(least_xon, headroom_for(needs));
    const Bytes above = std::max(round_trip, written.xon.value_or(round_trip));
    const Bytes xoff = written.xoff.value_or(above + round_trip);
    return {.xoff = xoff, .xon = written.xon.value_or(std::min(round_trip, xoff / 2))};
}

}  // namespace sluice
