// Y1564: a service activation test like ITU-T Y.1564: checks that services meet their committed
// rates and their limits of loss and delay.
//
//   configuration  each service by itself, in steps
//     cir          at 25, 50, 75 and 100 % of its committed rate (CIR): loss, latency and its
//                  variation are within their limits
//     eir          at CIR + EIR, if it has an excess rate: at least CIR arrives, less the loss that
//                  the service accepts
//     policing     if configured, at CIR + 125 % of EIR, or 125 % of CIR + EIR if EIR is less than
//                  a fifth of CIR: as `eir`, and at most CIR + EIR arrives, with a tolerance for
//                  the burst that a policer passes
//   performance    all services at their CIR at the same time, for a long time: all limits are met;
//                  only if every service passed the configuration
// A step in which less than 99 % of the rate was offered is tried three times, and then fails: its
// service could not be tested. The performance step is tried once.
// Latency is judged by its mean, variation by the 99.9th percentile less the minimum, as in the
// objectives of Y.1541 and Y.1563. Rates count frames with FCS; a mix of lengths is sent by frames
// a second, and its bits are computed from the mean length.
// Arrivals are counted until no frame moves, so frames that were queued when the sender stopped are
// included in the rate.
// Not here: colours (the tests without colours are run), availability by severely errored seconds,
// overlapping steps. The recommendation itself was not available: the procedure follows the
// documentation of testers that implement it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/gen/benchmarks/trial.h"
#include "tools/gen/generator.h"

namespace sluice::gen {

struct Service {
    Stream stream;       // each step sets its rate
    double cir_fps = 1;  // CIR in frames a second
    double eir_fps = 0;  // EIR in frames a second; 0: no EIR
    double max_loss = 0;
    std::optional<Nanos> max_latency;
    std::optional<Nanos> max_variation;
    std::optional<double> policing;  // tolerated excess, as a share of CIR + EIR
};

struct Y1564Settings {
    std::vector<Service> services;
    Nanos step{10'000'000'000};
    Nanos performance{900'000'000'000};  // 15 minutes
};

// The results of one service at one rate.
struct ServiceStep {
    std::string_view test;  // cir, eir, policing, performance
    double load = 1;        // share of CIR
    double asked_fps = 0;
    double offered_fps = 0;
    double received_fps = 0;
    uint64_t offered = 0;
    uint64_t lost = 0;
    Quantiles latency;                // nanoseconds
    std::vector<std::string> faults;  // empty: the step passed

    [[nodiscard]] double loss() const {
        return offered == 0 ? 0 : static_cast<double>(lost) / static_cast<double>(offered);
    }
    [[nodiscard]] uint64_t variation() const { return latency.p999 - latency.min; }
};

struct ServiceResult {
    std::vector<ServiceStep> configuration;
    std::optional<ServiceStep> performance;
};

struct Y1564 {
    std::vector<ServiceResult> services;  // services whose test was begun, in order
    bool complete = false;                // whether the test was not interrupted

    [[nodiscard]] bool configured() const;  // whether each of `services` passed the configuration
    [[nodiscard]] bool passed() const;      // whether each also passed the performance test
};

Y1564 run_y1564(const Y1564Settings& settings, const RunStreams& run, const Say& say);

}  // namespace sluice::gen
