// PortCounters: the counters of a port. One writer: the worker that owns the port.
//
// The ledger of each input: received + copied = drops + frames that left its VOQs or bypassed them
// + frames in its VOQs. The ledger of each output: frames from inputs + generated = sent +
// egress_drops + frames in its queues. ledger.h adds up both ledgers. To add a counter:
// control/show/counter_rows.h.
#pragma once

#include "dataplane/types/counters.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/hot_memory.h"

namespace sluice {

struct alignas(64) PortCounters : InHotMemory {
    Counter rx_frames;
    Counter rx_bytes;
    Counter tx_frames;  // including generated frames
    Counter tx_bytes;
    Counter copied;             // additional copies of flooded frames
    Counter generated;          // frames that the switch made: pause frames, and frames of control
    DropCounters drops;         // drops as an input; each refused copy counts
    DropCounters egress_drops;  // drops as an output
};

}  // namespace sluice
