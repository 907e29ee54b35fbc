// PortCounters: the counters of a port. One writer: the worker that owns the port.
//
// The ledger, for each input: received + copied = drops + left its VOQs or bypassed them + waiting
// in them; for each output: arrived from inputs + generated = sent + egress_drops + waiting there.
// ledger.h adds it up. To add a counter: control/show/counter_rows.h.
#pragma once

#include "dataplane/types/counters.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/hot_memory.h"

namespace sluice {

struct alignas(64) PortCounters : InHotMemory {
    Counter rx_frames;
    Counter rx_bytes;
    Counter tx_frames;  // those made here included
    Counter tx_bytes;
    Counter copied;             // further copies of flooded frames
    Counter generated;          // made here and sent: pause frames, and control's
    DropCounters drops;         // as an input, each refused copy counted
    DropCounters egress_drops;  // as an output
};

}  // namespace sluice
