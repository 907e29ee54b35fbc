// RateControl: how fast a host may send to one receiver of a flow: the interface of every way to
// slow down. Without one it sends as fast as its flows and its wire allow.
#pragma once

#include "dataplane/units.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

class RateControl {
  public:
    RateControl() = default;
    RateControl(const RateControl&) = delete;
    RateControl& operator=(const RateControl&) = delete;
    virtual ~RateControl() = default;

    // When a frame of so many octets, FCS counted, may leave: now, or later.
    [[nodiscard]] virtual Picos ready_at(Bytes frame, Picos now) const = 0;
    virtual void sent(Bytes frame, Picos now) = 0;
    // The receiver says that a frame was marked.
    virtual void congested(Picos /*now*/) {}
};

}  // namespace sluice::sim
