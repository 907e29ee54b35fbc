// Pause levels: computes the use at which a pause begins and ends, from the free part of the pool.
//
// XOFF is `xoff`, or reserved + alpha x (free part of the pool) if that is less: the busier the
// switch, the earlier it pauses. XON is the higher of `xon` and XOFF - `xon_offset` (if
// `xon_offset` is not 0), and never above XOFF. The levels are compared with an ingress group or,
// with PauseTrigger::egress, with the octets queued for an output. An output has no reserve; its
// inputs have.
// Bound: with alpha 0 one comparison. Follows SONiC's dynamic_th, xon and xon_offset.
#pragma once

#include <algorithm>

#include "dataplane/buffer/dynamic_threshold.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

constexpr Bytes xoff_level(const PfcSettings& pfc, Bytes free) {
    if (pfc.alpha_128 == 0) return pfc.xoff;
    const Bytes reserved = pfc.trigger == PauseTrigger::ingress ? pfc.reserved : Bytes(0);
    const Bytes open = dynamic_threshold(pfc.alpha_128, std::max(free, Bytes(0)));
    return std::min(pfc.xoff, reserved + open);
}

constexpr Bytes xon_level(const PfcSettings& pfc, Bytes free) {
    const Bytes level = xoff_level(pfc, free);
    const Bytes below = pfc.xon_offset.count() == 0 ? Bytes(0) : level - pfc.xon_offset;
    return std::min(level, std::max(pfc.xon, below));
}

}  // namespace sluice
