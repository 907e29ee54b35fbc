// RateControl: interface of congestion controls, which decide how fast a host may send to one
// receiver of a flow. Without one a host sends as fast as its flows and its wire allow.
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

    // Returns which report the control needs about each frame.
    [[nodiscard]] virtual Asks asks() const { return Asks::nothing; }
    // Returns when a frame of this length, including the FCS, may be sent: now or later;
    // Schedule::never if an acknowledgement has to arrive first.
    [[nodiscard]] virtual Picos ready_at(Bytes frame, Picos now) const = 0;
    virtual void sent(Bytes frame, Picos now) = 0;
    // Whether the frame that was sent needs a pull as its answer, if the control uses pulls.
    // `behind`: octets that are due after that frame.
    virtual bool needs_pull(Bytes /*frame*/, Bytes /*behind*/) { return false; }
    // Called when the receiver reports that a frame was marked.
    virtual void congested(Picos /*now*/) {}
    // Called when the receiver reports that a frame arrived. All frames sent before it have arrived
    // or are lost.
    virtual void acknowledged(const FrameReport& /*report*/, Picos /*now*/) {}
    // Called after a timeout without acknowledgements, when all unacknowledged frames are resent.
    virtual void on_timeout() {}
};

}  // namespace sluice::sim
