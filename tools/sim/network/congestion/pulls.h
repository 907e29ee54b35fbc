// Pulls: the receiver triggers each frame after the first few, as in NDP (Handley et al.,
// "Re-architecting datacenter networks and stacks for low latency and high performance", SIGCOMM
// 2017), Homa's grants and UEC's receiver credit are of the same kind.
//
// A sender has permission for `initial` octets of the wire, and a frame spends its octets. For each
// arrived frame, whole or trimmed, the receiver sends a pull, which permits as many octets again.
// Pulls leave at the speed of the receiver's wire, in the order of arrivals, so the pulled frames
// arrive at that speed, from whichever senders (host.h).
// If no frame behind it needs permission, a frame does not request a pull: its permission returns
// with its acknowledgement, so that no useless pull idles the receiver's wire. A trimmed frame is
// always pulled, as it is sent again.
// The permission of a lost frame is lost: a sender without permission that received nothing for
// `timeout` sends one frame without permission.
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
        // More may come back for a frame that left without a pull than there was.
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
