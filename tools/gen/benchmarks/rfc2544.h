// Rfc2544: runs the tests of RFC 2544 section 26 for one mix of lengths, one after the other, by
// trials with real traffic.
//
//   throughput    26.1, throughput.h: the fastest rate without loss; the other tests use it
//   latency       26.2: at that rate, for twice the time of a trial, several times. All frames are
//                 measured; the RFC marks one of each trial
//   frame loss    26.3: the lost share at 100 % of the first rate, then at lower loads, until two
//                 loads in a row have no loss
//   back-to-back  26.4 with RFC 9004: the longest burst at the first rate without loss, at most two
//                 seconds (or a shorter trial). It is searched several times, unless the longest
//                 one passes. The buffer's time is the corrected time of RFC 9004: a burst fills
//                 the buffer with the frames that the device does not forward during the burst
//   recovery      26.5: 110 % of the throughput, at most the first rate, then half of that: the
//                 time after the change until no frame was missing
// 100 % is the requested rate, or the highest rate that the senders reached: a software device has
// no line rate. Latency is measured from the sending of a burst to its reception by this program,
// so it includes the device's store-and-forward time and the wait in the rings to and from it.
// Not here: reset (26.6), since there is no standard way to reset a device; modifiers (section 11).
#pragma once

#include <optional>
#include <vector>

#include "tools/gen/benchmarks/throughput.h"
#include "tools/gen/benchmarks/trial.h"

namespace sluice::gen {

struct Rfc2544Settings {
    Rate rate;                       // rate of each sender
    std::size_t frames_at_once = 1;  // frames that arrive when each sender sends one
    SearchSettings search;
    Nanos trial{60'000'000'000};
    unsigned loss_step = 10;  // per cent of the first rate
    // Number of latency trials; 0: no latency test.
    unsigned latency_trials = 20;
    unsigned bursts = 50;
    unsigned recoveries = 5;
};

struct LatencyAtThroughput {
    std::vector<double> means;  // mean of each trial, in nanoseconds
    Histogram all;
    double offered_fps = 0;  // offered rate of the slowest trial
    uint64_t lost = 0;       // frames lost in all trials

    [[nodiscard]] double mean() const;
};

struct LossPoint {
    unsigned load_percent = 100;
    Trial trial;
};

struct BackToBack {
    std::vector<double> longest;  // result of each search, in frames of each sender
    bool is_bounded = false;      // whether a longer burst had loss
    double full_rate = 0;         // frames a second of each sender
    double throughput = 0;        // frames a second of each sender

    [[nodiscard]] double mean() const;
    // RFC 9004, 6.4.
    [[nodiscard]] double implied_seconds() const { return mean() / full_rate; }
    [[nodiscard]] double corrected_seconds() const {
        return implied_seconds() * (1 - throughput / full_rate);
    }
};

struct Recovery {
    double overload_fps = 0;    // requested rate of each sender
    std::vector<Nanos> lossy;   // recovery time of each trial with loss
    unsigned without_loss = 0;  // trials that did not overload the device

    [[nodiscard]] std::optional<double> mean() const;  // nanoseconds; none if no trial had loss
};

struct Rfc2544 {
    Throughput throughput;
    std::optional<LatencyAtThroughput> latency;  // none if not requested, or without a throughput
    std::vector<LossPoint> losses;               // by falling load
    std::optional<BackToBack> back_to_back;
    std::optional<Recovery> recovery;
    bool complete = false;  // whether the tests were not interrupted
};

Rfc2544 run_rfc2544(const NamedMix& mix, const Rfc2544Settings& settings, const RunTrial& run,
                    const Say& say);

}  // namespace sluice::gen
