// InFlight: what a sender under a window has on its way: sent and not acknowledged. In octets of
// the wire.
//
// An acknowledgement counts for all that was sent before its frame: frames of a flow keep their
// order, so what it leaps over is lost. What nothing is heard of for `silence` counts as lost too,
// or a window that is lost as a whole would stay shut.
// Not done here: sending again.
#pragma once

#include <algorithm>

#include "dataplane/units.h"
#include "tools/sim/network/frame_report.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

class InFlight {
  public:
    static constexpr Picos silence = picos(Nanos(1'000'000));

    // When `frame` more has room in the window. A frame alone always has.
    [[nodiscard]] Picos room_at(Bytes frame, Bytes window, Picos now) const {
        if (octets() == Bytes(0) || octets() + frame <= window) return now;
        return std::max(now, heard_ + silence);
    }
    void send(Bytes frame, Picos now) {
        if (octets() == Bytes(0)) heard_ = now;
        if (now >= heard_ + silence) {
            acknowledged_ = sent_;
            heard_ = now;
        }
        sent_ += frame;
    }
    struct Heard {
        Bytes arrived;
        Bytes lost;
    };
    Heard hear(const FrameReport& report, Picos now) {
        const Bytes news = std::max(report.through - acknowledged_, Bytes(0));
        acknowledged_ += news;
        heard_ = now;
        const Bytes arrived = std::min(news, report.on_wire);
        return {arrived, news - arrived};
    }
    [[nodiscard]] Bytes octets() const { return sent_ - acknowledged_; }
    // In all.
    [[nodiscard]] Bytes sent() const { return sent_; }

  private:
    Bytes sent_{0};
    Bytes acknowledged_{0};
    Picos heard_;
};

}  // namespace sluice::sim
