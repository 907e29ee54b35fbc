// Verdicts: what the walks over a burst find out about each frame, for the later walks.
// Bound: lives as long as one burst.
#pragma once

#include <array>
#include <cstddef>

#include "dataplane/forward/forwarding.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/limits.h"

namespace sluice {

struct Verdicts {
    std::array<Drop, max_burst> drop;                         // why not even forwarded; none: it is
    std::array<Forwarding::Shard::Probes, max_burst> probes;  // of those that are
    std::array<PortSet, max_burst> outputs;                   // empty of those that go nowhere

    // Takes out frame `n` of a burst of `size`, which was to be forwarded. The next frame then
    // looks up its source itself, as it would have relied on the result for frame `n`
    // (`same_source`).
    void take_out(std::size_t n, std::size_t size, Drop why) {
        drop[n] = why;
        std::size_t next = n + 1;
        while (next < size && drop[next] != Drop::none) ++next;
        if (next < size) probes[next].same_source = false;
    }
};

}  // namespace sluice
