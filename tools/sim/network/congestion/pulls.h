// Pulls: the receiver requests each frame after the first few, as in NDP (Handley et al.,
// "Re-architecting datacenter networks and stacks for low latency and high performance", SIGCOMM
// 2017). Homa's grants and UEC's receiver credit work in the same way.
//
// A sender starts with permission for `initial` octets on the wire, and each frame uses as much
// permission as it has octets on the wire. For each received frame, whole or trimmed, the receiver
// sends a pull, which permits as many octets again. The receiver paces pulls to the speed of its
// wire, in the order of arrival, so that the pulled frames of all senders together arrive at that
// speed (host.h).
// A frame requests no pull if no later frame needs its permission, since a useless pull would leave
// the receiver's wire idle: the permission then returns with the acknowledgement. A trimmed frame
// is always pulled, as it is resent.
// The permission of a lost frame is lost: a sender that has too little permission and received no
// answer for `timeout` sends one frame without permission.
// Bound: a few words. Not done here: NDP's round robin among senders (pulls are in the order of
// frames), a receiver that prefers some senders, several paths for one flow's frames.
#pragma once

#include <algorithm>

#include "tools/sim/network/congestion/rate_control.h"
#include "tools/sim/network/packet.h"

namespace sluice::sim {

struct PullsSettings {
    Bytes initial{0};  // octets on the wire; at least those of the longest frame
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
        if (on_wire > left_) pulls_to_come_ = Bytes(0);  // pulls that were expected count as lost
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
        // A frame that was sent without permission may return more octets than it used.
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
