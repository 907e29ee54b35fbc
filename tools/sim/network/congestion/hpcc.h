// Hpcc: the window of one sender towards one receiver under HPCC (Li et al., "HPCC: High Precision
// Congestion Control", SIGCOMM 2019, algorithm 1).
//
// Each acknowledgement returns the telemetry of every output on the path (frame_report.h). An
// output's utilisation is its rate relative to its speed, plus its backlog relative to what it
// sends in a round trip, `base_rtt`. The highest utilisation counts, smoothed over a round trip.
// Above `utilization`, or after `stages` additive steps, the window is set to the value that would
// bring the utilisation there, plus `additive`; else it grows by `additive` alone. Each
// acknowledgement is applied to the window of the last round trip (W^c), which is updated once a
// round trip.
// A frame waits for the window, and is paced at the rate of one window a `base_rtt`. The window
// starts with what the wire sends in a `base_rtt`, and is never above that.
// Exact: whole numbers only, the utilisation in 1/2^24. In octets of the wire, so the full speed is
// reached. A lost frame makes room in the window and does not change it: the paper relies on PFC.
// Not done here: the octets of telemetry in each frame, 42 for 5 hops in the paper.
#pragma once

#include <array>
#include <cstdint>

#include "tools/sim/network/congestion/in_flight.h"
#include "tools/sim/network/congestion/rate_control.h"

namespace sluice::sim {

struct HpccSettings {
    Nanos base_rtt{13'000};               // T
    uint32_t utilization_65536 = 62'259;  // eta, 0.95
    uint32_t stages = 5;                  // maxStage
    Bytes additive{80};                   // W_AI
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
    // W / T.
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
    Bytes reference_;  // W^c
    int64_t use_ = 0;  // U
    uint32_t stage_ = 0;
    Bytes updated_until_{0};  // lastUpdateSeq
    uint8_t hops_ = 0;        // that the last acknowledgement had; 0: none
    std::array<Hop, FrameReport::most_hops> last_{};
    Picos not_before_;
};

}  // namespace sluice::sim
