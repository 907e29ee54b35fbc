// RecordEntry: one entry of a recording: what changed about a queue, a path to it or a lossless
// group between two samples, or the sample itself.
//
// A sample is one entry `sample`, followed by one entry for each thing that changed. A sample
// without changes leaves no entry; the next `sample` has their number. So nothing is invented: a
// value is valid from its entry until the next entry of the same thing, and `distance` and
// `longest` give the real intervals between looks.
// Bound: 32 octets. Counts that do not fit are given as their largest value.
#pragma once

#include <cstdint>
#include <type_traits>

#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

enum class RecordKind : uint8_t {
    sample,  // a look of a worker at what it has
    path,    // what waits in the VOQ of one input, and what came, was dropped and marked there
    queue,   // what waits in the egress queue of an output, and what left it
    group,   // what a lossless (input, priority) holds, and its pauses
    last = group
};

// No member has a default, as in Frame.
struct RecordEntry {
    Nanos time;  // of the poll
    union {
        uint32_t octets;    // path, queue: that wait; group: in its reserve and the pool
        uint32_t distance;  // sample: ns since the one before
    };
    union {
        uint32_t since;     // path: ns over which `came`, `dropped` and `marked` were counted
        uint32_t headroom;  // group: octets in its headroom
        uint32_t longest;   // sample: ns between any two since the entry of the one before
    };
    uint16_t frames;   // path, queue: that wait; sample: looks without a change before it
    uint16_t came;     // path: frames; queue: frames that left; group: XOFFs that were sent;
                       // sample: 1 where everything that is not empty has an entry
    uint16_t dropped;  // path: frames
    uint16_t marked;   // path: frames, with congestion experienced
    RecordKind kind;
    PortIndex input;   // path, group
    PortIndex output;  // path, queue
    Priority priority;
    uint8_t is_paused;  // queue: by its peer; group: it pauses its peer; sample: some is missing
    uint8_t unused[3];
};

static_assert(sizeof(RecordEntry) == 32);
static_assert(std::is_trivially_copyable_v<RecordEntry>);

}  // namespace sluice
