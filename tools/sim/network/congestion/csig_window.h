// CsigWindow: the window of one sender towards one receiver, controlled by the worst hop's delay in
// CSIG tags (dataplane/csig). The control law is that of Swift (Kumar et al., "Swift: Delay is
// Simple and Effective for Congestion Control in the Datacenter", SIGCOMM 2020, algorithm 1), which
// uses the delay of the whole fabric.
//
// Each acknowledgement returns the signal of its frame. If the delay is below `target`, the window
// grows by `additive` each round trip, if the window limits the sender. If the delay is at or above
// `target`, the window shrinks by `decrease` x (1 - target / delay), at most once a round trip, and
// by no more than `most_decrease`. A loss or a timeout shrinks it by `most_decrease`. A window of
// less than a frame means one frame in several round trips. The delay is the lower edge of the
// signal's band. With the signal `depth`, the delay is the time to send the queued octets.
// Exact: whole numbers only. Octets are those on the wire.
// Not done here: Swift's scaling of the target by hops and by flows, and its window for the host;
// retransmission.
#pragma once

#include "dataplane/types/csig_settings.h"
#include "dataplane/types/units.h"
#include "tools/sim/network/congestion/in_flight.h"
#include "tools/sim/network/congestion/rate_control.h"
#include "tools/sim/network/csig_start.h"

namespace sluice::sim {

struct CsigWindowSettings {
    CsigForm form = CsigForm::compact;
    CsigType signal = CsigType::delay;  // delay or depth
    Nanos target{10'000};
    Bytes additive{1542};
    uint32_t decrease_65536 = 52'429;       // Swift's beta, 0.8
    uint32_t most_decrease_65536 = 32'768;  // Swift's max_mdf, 0.5
    Bytes initial{15'420};                  // ten frames of 1522
    Bytes least{64};
};

class CsigWindow : public RateControl {
  public:
    // `bands`: the bands of the signals that the switches write.
    CsigWindow(const CsigWindowSettings& settings, const CsigBands& bands)
        : settings_(settings), bands_(bands), window_(settings.initial) {}

    [[nodiscard]] Asks asks() const override { return Asks::acknowledgement; }
    [[nodiscard]] Picos ready_at(Bytes frame, Picos now) const override;
    void sent(Bytes frame, Picos now) override;
    void acknowledged(const FrameReport& report, Picos now) override;
    void on_timeout() override;

    [[nodiscard]] Bytes window() const { return window_; }

  private:
    void grow(Bytes arrived);
    // Reduces the window to `left_65536`/65536, at most once a round trip.
    void fall_to(int64_t left_65536, Picos now);
    [[nodiscard]] int64_t least_left() const {
        return 65536 - int64_t{settings_.most_decrease_65536};
    }

    CsigWindowSettings settings_;
    CsigBands bands_;
    InFlight in_flight_;
    Bytes window_;
    Bytes longest_{0};   // longest frame
    int64_t grown_ = 0;  // fraction of the next octet by which the window grows
    Picos round_trip_;
    Picos fell_at_{-1};
    Picos not_before_;
};

}  // namespace sluice::sim
