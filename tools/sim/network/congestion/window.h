// Window: limits the octets that are sent in each window of time; further frames wait for the next
// window. Notes on RC Link describe this limit for a queue pair (CC_WINDOW and length_thr).
//
// Windows follow each other without a gap from time 0 on. Octets are those of frames with FCS, so
// that the receiver gets at most bytes / span. Congestion does not change the limit: in the notes,
// software does.
// Bound: a span as long as a window has at most 2 x `bytes`: those of the end of one window and of
// the start of the next.
#pragma once

#include "tools/sim/network/congestion/rate_control.h"

namespace sluice::sim {

struct WindowSettings {
    Bytes bytes{0};  // at least the longest frame
    Nanos span{65'536};
};

class Window : public RateControl {
  public:
    explicit Window(const WindowSettings& settings)
        : bytes_(settings.bytes), span_(picos(settings.span)) {}

    [[nodiscard]] Picos ready_at(Bytes frame, Picos now) const override {
        const bool fits = now >= ends_ || sent_ + frame <= bytes_;
        return fits ? now : ends_;
    }
    void sent(Bytes frame, Picos now) override {
        if (now >= ends_) {
            ends_ = span_ * (now.count() / span_.count() + 1);
            sent_ = Bytes(0);
        }
        sent_ += frame;
    }

  private:
    Bytes bytes_;
    Picos span_;
    Picos ends_;
    Bytes sent_{0};
};

}  // namespace sluice::sim
