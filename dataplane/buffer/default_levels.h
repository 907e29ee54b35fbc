// DefaultLevels: XOFF and XON of a lossless priority where the file does not say them.
//
// After an XON is due, what waits goes on leaving until the peer's next frame is there: a round
// trip, which is what headroom_for adds up (buffer/headroom.h). XON is at so much, in frames that
// fill their cells, so that a pause leaves no gap; XOFF at twice that, so that pauses are no more
// frequent than round trips. XON is 64 KiB at least, two bursts of frames of 1500 octets, and no
// more than half of an XOFF that is written.
// Short frames take more cells and leave a gap; nothing is lost by that.
#pragma once

#include <algorithm>
#include <optional>

#include "dataplane/buffer/headroom.h"
#include "dataplane/units.h"

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
    const Bytes round_trip = std::max(least_xon, headroom_for(needs));
    const Bytes xoff = written.xoff.value_or(round_trip * 2);
    return {.xoff = xoff, .xon = written.xon.value_or(std::min(round_trip, xoff / 2))};
}

}  // namespace sluice
