// Verdicts: what a walk over a burst stores about each frame for the later walks.
// Bound: exists for one burst.
#pragma once

#include <array>
#include <cstddef>

#include "dataplane/forward/forwarding.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/limits.h"

namespace sluice {

struct Verdicts {
    std::array<Drop, max_burst> drop;                         // `none`: the frame is forwarded
    std::array<Forwarding::Shard::Probes, max_burst> probes;  // set for forwarded frames
    std::array<PortSet, max_burst> outputs;                   // empty for dropped frames

    // Drops frame `n`, which no earlier step has dropped, of a burst of `size` frames. The next
    // forwarded frame then looks up its source itself, since it may have relied on the lookup for
    // frame `n` (`same_source`).
    void take_out(std::size_t n, std::size_t size, Drop why) {
        drop[n] = why;
        std::size_t next = n + 1;
        while (next < size && drop[next] != Drop::none) ++next;
        if (next < size) probes[next].same_source = false;
    }
};

}  // namespace sluice
