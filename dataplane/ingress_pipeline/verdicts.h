// Verdicts: what the walks over a burst find out of each of its frames, for who comes behind.
// Bound: of one burst.
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

    // Takes frame `n` of a burst of `size` out, which was to be forwarded. What follows it asks of
    // its source itself, as it would have relied on what this one is told (`same_source`).
    void take_out(std::size_t n, std::size_t size, Drop why) {
        drop[n] = why;
        std::size_t next = n + 1;
        while (next < size && drop[next] != Drop::none) ++next;
        if (next < size) probes[next].same_source = false;
    }
};

}  // namespace sluice
