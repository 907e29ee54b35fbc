// FlowRecord: the properties of a sampled frame, for its first octets: its outputs, or the reason
// why it was dropped before it was queued.
// Bound: 32 octets.
#pragma once

#include <cstdint>
#include <type_traits>

#include "dataplane/types/drops.h"
#include "dataplane/types/limits.h"

namespace sluice {

// Members have no defaults, as in Frame.
struct FlowRecord {
    PortSet outputs;  // outputs that the frame was queued for; empty: see `reason`
    uint32_t pool;    // frames of the input that could have been sampled, including this one
    uint32_t one_in;  // number of frames that this sample stands for
    uint16_t length;  // length of the frame
    uint16_t copied;  // octets of the frame that follow the record
    VlanId vlan;      // 0: the frame was not classified
    InputIndex input;
    Priority priority;  // valid if the frame was classified
    Drop reason;        // the reason why the frame has no output
};

static_assert(sizeof(FlowRecord) == 32);
static_assert(std::is_trivially_copyable_v<FlowRecord>);

}  // namespace sluice
