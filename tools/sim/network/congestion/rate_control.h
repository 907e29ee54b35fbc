// RateControl: how fast a host may send to one receiver of a flow: the interface of all congestion
// controls. Without one a host sends as fast as its flows and its wire allow.
//
// Time is an argument, and all numbers are integers, so that every machine computes the same.
#pragma once

#include "dataplane/types/units.h"
#include "tools/sim/network/frame_report.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

class RateControl {
  public:
    RateControl() = default;
    RateControl(const RateControl&) = delete;
    RateControl& operator=(const RateControl&) = delete;
    virtual ~RateControl() = default;

    // The report that it needs about each frame.
    [[nodiscard]] virtual Asks asks() const { return Asks::nothing; }
    // When a frame of so many octets, FCS counted, may leave: now, or later; Schedule::never: not
    // before the next acknowledgement.
    [[nodiscard]] virtual Picos ready_at(Bytes frame, Picos now) const = 0;
    virtual void sent(Bytes frame, Picos now) = 0;
    // Whether the frame that was sent needs a pull in answer, if the control uses pulls; `behind`:
    // octets that are due behind it.
    virtual bool needs_pull(Bytes /*frame*/, Bytes /*behind*/) { return false; }
    // The receiver says that a frame was marked.
    virtual void congested(Picos /*now*/) {}
    // The receiver says that a frame is there. What was sent before it is there, or lost.
    virtual void acknowledged(const FrameReport& /*report*/, Picos /*now*/) {}
    // After a timeout without acknowledgements all unacknowledged frames are sent again.
    virtual void on_timeout() {}
};

}  // namespace sluice::sim
