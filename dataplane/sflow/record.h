// FlowRecord: what is known of a sampled frame beside its first octets: how it was forwarded or why
// it was dropped on its way in.
// Bound: 32 octets.
#pragma once

#include <cstdint>
#include <type_traits>

#include "dataplane/types/drops.h"
#include "dataplane/types/limits.h"

namespace sluice {

// No member has a default, as in Frame.
struct FlowRecord {
    PortSet outputs;  // that it was queued for; empty: see `reason`
    uint32_t pool;    // frames that its input has drawn lots for, up to this one
    uint32_t one_in;  // frames that it stands for
    uint16_t length;  // of the frame
    uint16_t copied;  // of it, from the first octet on
    VlanId vlan;      // 0: it was not classified
    InputIndex input;
    Priority priority;  // of one that was classified
    Drop reason;        // why it has no output
};

static_assert(sizeof(FlowRecord) == 32);
static_assert(std::is_trivially_copyable_v<FlowRecord>);

}  // namespace sluice
