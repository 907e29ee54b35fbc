// DefaultLevels: computes XOFF and XON of a lossless priority if the file does not set them.
//
// After an XON is due, queued frames are sent until the peer's next frame arrives. That takes a
// round trip, whose octets headroom_for adds up (buffer/headroom.h). XON is set to these octets,
// without an overhead for cells that frames do not fill, so that a pause leaves no gap. XOFF is the
// same amount above XON, and at least twice that amount, so that pauses are no more frequent than
// round trips. A round trip counts as at least 64 KiB, two bursts of frames of 1500 octets. XON is
// at most half of an XOFF that the file sets. The delay of a relay is not included: a pause that
// crosses a WAN leaves a gap, unless the XON in the file includes the octets sent during that
// delay.
// Bound: XON is at most XOFF at any speed, unless the file sets a higher XON. Short frames take
// more cells and leave a gap, but none are lost.
#pragma once

#include <algorithm>
#include <optional>

#include "dataplane/buffer/headroom.h"
#include "dataplane/types/units.h"

namespace sluice {

// The levels in the file; a level that is not written is empty.
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
