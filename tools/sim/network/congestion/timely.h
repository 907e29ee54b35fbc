// Timely: the rate of one sender towards one receiver under TIMELY (Mittal et al., "TIMELY:
// RTT-based Congestion Control for the Datacenter", SIGCOMM 2015, algorithm 1).
//
// The RTT of a frame is the time from its first bit at the sender to the last bit of its
// acknowledgement, less its time on the sender's wire (section 3). One frame of each `segment` is
// measured. If the RTT is below `low`, the rate rises by `additive`; if it is above `high`, the
// rate falls by `decrease` x (1 - high / RTT). Between them the gradient decides: the change of the
// RTT, smoothed by `gain`, divided by `rtt`. With a gradient above 0 the rate falls by `decrease` x
// gradient. With another gradient the rate rises by `additive`, from the fifth consecutive time on
// by five times `additive`. An RTT below `low` restarts that count, as its gradient is not used;
// the paper leaves that open. The rate starts at the speed of the wire, and stays between that
// speed and `least`; the paper has no lower limit.
// The paper sends a segment in one burst and then waits; here its frames are spread evenly.
// Exact: whole numbers only, gradients in 1/65536. Rates are those on the wire.
#pragma once

#include <cstdint>

#include "tools/sim/network/congestion/rate_control.h"

namespace sluice::sim {

struct TimelySettings {
    Bytes segment{16'384};
    uint32_t gain_65536 = 57'344;      // alpha in the paper, 0.875
    uint32_t decrease_65536 = 52'429;  // beta in the paper, 0.8
    Nanos low{50'000};                 // T_low in the paper
    Nanos high{500'000};               // T_high in the paper
    Nanos rtt{20'000};                 // minimum RTT, by which gradients are divided
    BitsPerSecond additive{10'000'000};
    BitsPerSecond least{10'000'000};
};

class Timely : public RateControl {
  public:
    Timely(const TimelySettings& settings, BitsPerSecond wire)
        : settings_(settings), wire_(wire), rate_(wire), next_(settings.segment) {}

    [[nodiscard]] Asks asks() const override { return Asks::acknowledgement; }
    [[nodiscard]] Picos ready_at(Bytes frame, Picos now) const override;
    void sent(Bytes frame, Picos now) override;
    void acknowledged(const FrameReport& report, Picos now) override;

    [[nodiscard]] BitsPerSecond rate() const { return rate_; }

  private:
    // Consecutive samples before the rate rises faster.
    static constexpr int patience = 5;

    void measure(Picos rtt);
    void rise(int64_t steps);
    // Reduces the rate to `left_65536`/65536.
    void fall_to(int64_t left_65536);

    TimelySettings settings_;
    BitsPerSecond wire_;
    BitsPerSecond rate_;
    Bytes next_;           // octet after which the next frame is measured
    Picos last_;           // last RTT; 0 before the first
    Picos difference_{0};  // smoothed change of the RTT
    int falling_ = 0;      // consecutive samples with a gradient of at most 0
    Picos not_before_;
};

}  // namespace sluice::sim
