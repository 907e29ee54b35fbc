// The guard of a port. It handles the switch's own loop probes that came back, and a port that
// takes nothing but control: because it is down, shut by the loop guard, blocked by the spanning
// tree, or not yet a member of its aggregation. In the state Learning of the spanning tree a port
// learns from the frames that it drops.
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/forward/forwarding.h"
#include "dataplane/ingress/control_receiver.h"
#include "dataplane/ingress_pipeline/verdicts.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"

namespace sluice {

struct PortGuard {
    Drop refusal;         // none, or why only control is taken
    uint64_t loop_guard;  // the address in the switch's own probes; 0: it sends none
    bool learns;          // although it refuses
};

// Takes out loop probes that came back, and refuses the other frames if the port takes no data.
void guard_port(const PortGuard& guard, ControlReceiver& control, Forwarding::Shard& forwarding,
                std::span<const Frame> burst, Verdicts& verdicts, Nanos now);

}  // namespace sluice
