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
    bool is_whole = true;  // none was overwritten
};

// A time in which frames waited for a queue at each sample.
struct Burst {
    // An input, and what it had to do with it.
    struct Feeder {
        PortIndex port = 0;
        uint64_t came = 0;  // frames that were let in
        uint64_t dropped = 0;
        uint64_t marked = 0;
        uint64_t xoffs = 0;  // that its peer got meanwhile, for this queue
    };

    PortIndex output = 0;
    Priority priority = 0;
    Nanos start;  // the first sample that found a frame waiting
    // The burst began at some time after the previous sample, `since_before` ago, and before the
    // next sample, `until_next` later: arrivals during a poll have the poll's time.
    Nanos since_before;
    Nanos until_next{0};
    Nanos end;              // the first that found none again, or the last sample
    bool is_older = false;  // it was there when the record began
    bool goes_on = false;   // it was there when the record ended
    uint64_t peak = 0;      // octets, of VOQs and egress queue together
    Nanos peak_at;
    uint64_t came = 0;
    uint64_t dropped = 0;
    uint64_t marked = 0;
    uint64_t xoffs = 0;
    Nanos paused{0};              // in it, by the peer of the output
    std::vector<Feeder> feeders;  // who sent most first
};

struct Recording {
    uint64_t number = 0;
    RecordTrigger trigger;
    Nanos begin;
    Nanos end;
    ClockOffsets clocks;
    std::vector<WorkerEntries> workers;
    std::vector<std::string> ports;  // names then, by index
    std::vector<PortIndex> port_of;  // by input
    std::vector<Burst> bursts;       // by their start
};

}  // namespace sluice::control
