// Recording: the entries of all workers around one trigger, and the bursts that were found in them.
// Bound: as many entries as a part of each worker's memory has (dataplane/recorder/reel.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "control/clock_offsets.h"
#include "dataplane/recorder/entry.h"
#include "dataplane/recorder/trigger.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::control {

// The entries of one worker, oldest first. Entries older than `begin` are included so that the
// state at `begin` is known.
struct WorkerEntries {
    std::vector<RecordEntry> entries;
    bool is_whole = true;  // no entry was overwritten
};

// A period in which every sample found frames waiting for a queue.
struct Burst {
    // An input whose frames were part of the burst.
    struct Feeder {
        PortIndex port = 0;
        uint64_t came = 0;  // frames that were admitted
        uint64_t dropped = 0;
        uint64_t marked = 0;
        uint64_t xoffs = 0;  // XOFFs to the input's peer for this queue during the burst
    };

    PortIndex output = 0;
    Priority priority = 0;
    Nanos start;  // time of the first sample that found a frame waiting
    // The exact begin is not known: it is after the previous sample, `since_before` earlier, and
    // before the next sample, `until_next` later. Arrivals during a poll have the poll's time.
    Nanos since_before;
    Nanos until_next{0};
    Nanos end;              // time of the first sample without frames, or of the last sample
    bool is_older = false;  // the burst began before the recording
    bool goes_on = false;   // the burst still lasted when the recording ended
    uint64_t peak = 0;      // octets in VOQs and egress queue together
    Nanos peak_at;
    uint64_t came = 0;
    uint64_t dropped = 0;
    uint64_t marked = 0;
    uint64_t xoffs = 0;
    Nanos paused{0};              // how long the output's peer paused the output during the burst
    std::vector<Feeder> feeders;  // the input with most frames first
};

struct Recording {
    uint64_t number = 0;
    RecordTrigger trigger;
    Nanos begin;
    Nanos end;
    ClockOffsets clocks;
    std::vector<WorkerEntries> workers;
    std::vector<std::string> ports;  // names at the time of the recording, by port index
    std::vector<PortIndex> port_of;  // by input index
    std::vector<Burst> bursts;       // in the order of their start
};

}  // namespace sluice::control
