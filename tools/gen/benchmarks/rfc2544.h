// Rfc2544: the tests of RFC 2544 section 26 for one mix of lengths, one after the other, by trials
// with real traffic.
//
//   throughput    26.1, throughput.h: the fastest rate without loss; what follows builds on it
//   latency       26.2: at that rate, for twice the time of a trial, several times; of all frames,
//                 where the RFC marks one of each trial
//   frame loss    26.3: the share that is lost at 100 % of the first rate, then at ever less, until
//                 two loads in a row lose nothing
//   back-to-back  26.4 with RFC 9004: the longest burst at the first rate that loses nothing, of
//                 two seconds (or a shorter trial) at the most; several times, unless the longest
//                 passes, where there is nothing to find. The buffer's time is what RFC 9004 calls
//                 corrected: a burst fills it by what the device does not forward meanwhile.
//   recovery      26.5: 110 % of the throughput, the first rate at the most, then half of that:
//                 for how long after it frames were still missing
// 100 % is the requested rate, or the highest rate that the senders were seen to send: a software
// device has no line rate. Latency is measured from this program's sending of a burst to its
// receiving: it includes the store and forward of the device and both rings.
// Not done here: reset (26.6), since there is no standard way to reset a device; modifiers of
// section 11.
#pragma once

#include <optional>
#include <vector>

#include "tools/gen/benchmarks/throughput.h"
#include "tools/gen/benchmarks/trial.h"

namespace sluice::gen {

struct Rfc2544Settings {
    Rate rate;                       // of each sender
    std::size_t frames_at_once = 1;  // that are to arrive when each sender has sent one
    SearchSettings search;
    Nanos trial{60'000'000'000};
    unsigned loss_step = 10;  // per cent
    // Number of latency trials; 0: none.
    unsigned latency_trials = 20;
    unsigned bursts = 50;
    unsigned recoveries = 5;
};

struct LatencyAtThroughput {
    std::vector<double> means;  // nanoseconds, of each trial
    Histogram all;
    double offered_fps = 0;  // the slowest of them
    uint64_t lost = 0;       // in all of them

    [[nodiscard]] double mean() const;
};

struct LossPoint {
    unsigned load_percent = 100;
    Trial trial;
};

struct BackToBack {
    std::vector<double> longest;  // frames of each sender, of each search
    bool is_bounded = false;      // something was lost: it is not merely the longest that was tried
    double full_rate = 0;         // frames a second of each sender
    double throughput = 0;        // likewise

    [[nodiscard]] double mean() const;
    // RFC 9004, 6.4.
    [[nodiscard]] double implied_seconds() const { return mean() / full_rate; }
    [[nodiscard]] double corrected_seconds() const {
        return implied_seconds() * (1 - throughput / full_rate);
    }
};

struct Recovery {
    double overload_fps = 0;    // asked of each sender
    std::vector<Nanos> lossy;   // of each trial that lost something
    unsigned without_loss = 0;  // trials that were no overload

    [[nodiscard]] std::optional<double> mean() const;  // nanoseconds; nothing: none was overloaded
};

struct Rfc2544 {
    Throughput throughput;
    std::optional<LatencyAtThroughput> latency;  // nothing: not asked for, or no throughput
    std::vector<LossPoint> losses;               // falling load
    std::optional<BackToBack> back_to_back;
    std::optional<Recovery> recovery;
    bool complete = false;  // nobody broke it off
};

Rfc2544 run_rfc2544(const NamedMix& mix, const Rfc2544Settings& settings, const RunTrial& run,
                    const Say& say);

}  // namespace sluice::gen
