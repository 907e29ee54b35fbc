// Hpcc: the window of one sender towards one receiver under HPCC (Li et al., "HPCC: High Precision
// Congestion Control", SIGCOMM 2019, algorithm 1).
//
// Each acknowledgement returns the telemetry of every output on the path (frame_report.h). An
// output's utilisation is its rate divided by its speed, plus its backlog divided by the octets
// that it sends in a round trip, `base_rtt`. The highest utilisation counts, smoothed over a round
// trip. Above `utilization`, or after `stages` additive steps, the window is set to the value that
// would bring the utilisation to `utilization`, plus `additive`; else it only grows by `additive`.
// Each acknowledgement is applied to the window of the last round trip (W^c), which is updated once
// a round trip.
// A frame waits for the window, and is paced at one window for each `base_rtt`. The window starts
// with the octets that the wire sends in a `base_rtt`, which is also its maximum.
// Exact: whole numbers only, the utilisation in 1/2^24. Octets are those on the wire, so that the
// full speed can be reached. A lost frame frees its part of the window and does not change the
// window: the paper relies on PFC.
// Not done here: adding the octets of telemetry to each frame, 42 for 5 hops in the paper.
#pragma once

#include <array>
#include <cstdint>

#include "tools/sim/network/congestion/in_flight.h"
#include "tools/sim/network/congestion/rate_control.h"

namespace sluice::sim {

struct HpccSettings {
    Nanos base_rtt{13'000};               // T in the paper
    uint32_t utilization_65536 = 62'259;  // eta in the paper, 0.95
    uint32_t stages = 5;                  // maxStage in the paper
    Bytes additive{80};                   // W_AI in the paper
};

class Hpcc : public RateControl {
  public:
    Hpcc(const HpccSettings& settings, BitsPerSecond wire);

    [[nodiscard]] Asks asks() const override { return Asks::telemetry; }
    [[nodiscard]] Picos ready_at(Bytes frame, Picos now) const override;
    void sent(Bytes frame, Picos now) override;
    void acknowledged(const FrameReport& report, Picos now) override;
    void on_timeout() override { in_flight_.lose_all(); }

    [[nodiscard]] Bytes window() const { return window_; }
    // Returns the rate at which frames are paced: the window divided by the base RTT (W / T in
    // the paper).
    [[nodiscard]] BitsPerSecond rate() const;
    [[nodiscard]] int64_t use_2_24() const { return use_; }

  private:
    static constexpr int64_t one = int64_t{1} << 24;

    void measure(const FrameReport& report);
    void react(bool once_a_round_trip);

    HpccSettings settings_;
    Picos round_trip_;
    Bytes most_;
    InFlight in_flight_;
    Bytes window_;
    Bytes reference_;  // W^c in the paper
    int64_t use_ = 0;  // U in the paper
    uint32_t stage_ = 0;
    Bytes updated_until_{0};  // lastUpdateSeq in the paper
    uint8_t hops_ = 0;        // hops of the last acknowledgement; 0 before the first
    std::array<Hop, FrameReport::most_hops> last_{};
    Picos not_before_;
};

}  // namespace sluice::sim
