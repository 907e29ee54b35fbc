// The guard of a port. It passes the switch's own loop probes that it receives to control, and
// drops data frames at a port that accepts only control frames: one that is down, shut by the loop
// guard, blocked by the spanning tree, or not yet a member of its aggregation. In the state
// Learning of the spanning tree a port learns from the frames that it drops.
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
    Drop refusal;         // `none`, or the reason why the port accepts only control frames
    uint64_t loop_guard;  // source address of the switch's own probes; 0: none are sent
    bool learns;          // whether the port learns from the frames that it drops
};

// Removes the switch's own loop probes, and drops the data frames if the port refuses them.
void guard_port(const PortGuard& guard, ControlReceiver& control, Forwarding::Shard& forwarding,
                std::span<const Frame> burst, Verdicts& verdicts, Nanos now);

}  // namespace sluice
