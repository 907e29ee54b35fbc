// RecordEntry: one entry of a recording: a change of a queue, a path to it or a lossless group
// between two samples, or the sample itself.
//
// A sample is one entry `sample`, followed by one entry for each queue, path or group that changed.
// A sample without changes leaves no entry; the next entry `sample` has the number of such samples.
// So a value is valid from its entry until the next entry of the same queue, path or group, and
// `distance` and `longest` give the real intervals between samples.
// Bound: 32 octets. A count that does not fit is given as the largest value of its field.
#pragma once

#include <cstdint>
#include <type_traits>

#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

enum class RecordKind : uint8_t {
    sample,  // a sample of a worker
    path,    // frames of one input in a VOQ, and those received, dropped and marked there
    queue,   // frames in the egress queue of an output, and those sent
    group,   // octets of a lossless (input, priority), and its pauses
    last = group
};

// Members have no defaults, as in Frame.
struct RecordEntry {
    Nanos time;  // time of the poll
    union {
        uint32_t octets;    // path, queue: octets queued; group: octets in reserve and pool
        uint32_t distance;  // sample: ns since the sample before
    };
    union {
        uint32_t since;     // path: ns over which `came`, `dropped` and `marked` were counted
        uint32_t headroom;  // group: octets in the headroom
        uint32_t longest;   // sample: longest ns between two samples since the last entry `sample`
    };
    uint16_t frames;  // path, queue: frames queued; sample: samples without a change before it
    // Path: frames received; queue: frames sent; group: XOFFs sent; sample: 1 if each queue, path
    // and group in use has an entry.
    uint16_t came;
    uint16_t dropped;  // path: frames dropped
    uint16_t marked;   // path: frames marked with congestion experienced
    RecordKind kind;
    PortIndex input;   // input of a path or group
    PortIndex output;  // output of a path or queue
    Priority priority;
    // Queue: its peer pauses the queue; group: the group pauses its peer; sample: entries are
    // missing.
    uint8_t is_paused;
    uint8_t unused[3];
};

static_assert(sizeof(RecordEntry) == 32);
static_assert(std::is_trivially_copyable_v<RecordEntry>);

}  // namespace sluice
