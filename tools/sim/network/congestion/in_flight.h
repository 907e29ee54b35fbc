// InFlight: the octets that a sender with a window has sent and that are not acknowledged yet,
// counted as on the wire.
//
// An acknowledgement covers all frames before its own: frames of a flow keep their order, so
// skipped frames are lost. After a timeout without acknowledgements all octets in flight count as
// lost: otherwise a window would stay closed once all its frames are lost. The timeout is four
// times the last frame's round trip, at least 1 ms; before the first acknowledgement it is the
// constructor's argument: 1 s, as in RFC 6298.
// Not done here: retransmission, which has its own timeout (go_back_n.h), and doubling the timeout
// (RFC 6298, 5.5).
#pragma once

#include <algorithm>
#include <cassert>

#include "dataplane/types/units.h"
#include "tools/sim/network/frame_report.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

class InFlight {
  public:
    static constexpr Picos least_silence = picos(Nanos(1'000'000));
    static constexpr Picos first_silence = picos(Nanos(1'000'000'000));

    explicit InFlight(Picos silence = first_silence) : silence_(silence) {}
    // Returns the timeout for a path with about this round trip.
    static constexpr Picos silence_of(Picos round_trip) {
        return std::max(least_silence, round_trip * 4);
    }

    // Returns when the window has room for a frame of `frame` octets; now if no octet is in flight.
    [[nodiscard]] Picos room_at(Bytes frame, Bytes window, Picos now) const {
        if (octets() == Bytes(0) || octets() + frame <= window) return now;
        return std::max(now, silent_since_ + silence_);
    }
    // Adds a frame. Returns the octets that count as lost since no acknowledgement arrived in time.
    Bytes send(Bytes frame, Picos now) {
        if (octets() == Bytes(0)) silent_since_ = now;
        Bytes lost;
        if (now >= silent_since_ + silence_) {
            lost = lose_all();
            silent_since_ = now;
        }
        sent_ += frame;
        return lost;
    }
    // Counts all octets in flight as lost. Returns their number.
    Bytes lose_all() {
        const Bytes lost = octets();
        acknowledged_ = sent_;
        return lost;
    }
    struct Feedback {
        Bytes arrived;
        Bytes lost;
    };
    Feedback receive(const FrameReport& report, Picos now) {
        const Bytes newly_acknowledged = std::max(report.through - acknowledged_, Bytes(0));
        acknowledged_ += newly_acknowledged;
        silent_since_ = now;
        silence_ = silence_of(now - report.left);
        const Bytes arrived = std::min(newly_acknowledged, report.on_wire);
        return {arrived, newly_acknowledged - arrived};
    }
    [[nodiscard]] Bytes octets() const {
        assert(acknowledged_ <= sent_);
        return sent_ - acknowledged_;
    }
    // Returns all octets that were sent.
    [[nodiscard]] Bytes sent() const { return sent_; }

  private:
    Bytes sent_{0};
    Bytes acknowledged_{0};
    Picos silent_since_;
    Picos silence_;
};

}  // namespace sluice::sim
