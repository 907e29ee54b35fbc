// Pulls: the receiver says when each frame leaves, after the first few: NDP's way (Handley et al.,
// "Re-architecting datacenter networks and stacks for low latency and high performance", SIGCOMM
// 2017), which Homa's grants and UEC's receiver credit are of the same kind as.
//
// A sender has permission for `initial` octets of the wire, and a frame spends what it takes. For
// each frame that has come, whole or trimmed, the receiver sends a pull, which is permission for as
// much again; pulls leave at the speed of its own wire, in the order in which frames came, so what
// they call for arrives at that speed, whoever sends (host.h).
// A frame behind which nothing is left that has no permission yet asks for none: its own comes back
// with its acknowledgement, and the receiver's wire is not kept idle by a pull for nothing. One
// that came trimmed is always pulled, as it is sent again.
// Permission for what was lost on the way is lost with it: a sender that may send nothing and has
// heard nothing for `timeout` sends one frame without.
// Bound: a few words. Not done here: NDP's turns among senders (a pull's place is that of its
// frame), a receiver that prefers some, several ways for one flow's frames.
#pragma once

#include <algorithm>

#include "tools/sim/network/congestion/rate_control.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

struct PullsSettings {
    Bytes initial{0};  // of the wire, not less than the longest frame takes
    Nanos timeout{0};
};

class Pulls final : public RateControl {
  public:
    explicit Pulls(const PullsSettings& settings)
        : initial_(settings.initial), left_(settings.initial), timeout_(picos(settings.timeout)) {}

    [[nodiscard]] Asks asks() const override { return Asks::pull; }
    [[nodiscard]] Picos ready_at(Bytes frame, Picos now) const override {
        return on_wire_of(frame) <= left_ ? now : std::max(now, heard_ + timeout_);
    }
    void sent(Bytes frame, Picos now) override {
        const Bytes on_wire = on_wire_of(frame);
        if (on_wire > left_) pulls_to_come_ = Bytes(0);  // what was to come is lost
        left_ -= std::min(left_, on_wire);
        heard_ = now;
    }
    bool needs_pull(Bytes frame, Bytes behind) override {
        if (behind <= left_ + pulls_to_come_) return false;
        pulls_to_come_ += on_wire_of(frame);
        return true;
    }
    void acknowledged(const FrameReport& report, Picos now) override {
        heard_ = now;
        if (report.pull == Pull::follows) return;
        // Of a frame that left unasked more may come back than there was.
        left_ = std::min(left_ + report.on_wire, initial_);
        if (report.pull == Pull::is_this)
            pulls_to_come_ -= std::min(pulls_to_come_, report.on_wire);
    }

  private:
    Bytes initial_;
    Bytes left_;
    Bytes pulls_to_come_;
    Picos heard_;
    Picos timeout_;
};

}  // namespace sluice::sim
