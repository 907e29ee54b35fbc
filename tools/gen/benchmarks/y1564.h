// Y1564: a service activation test in the manner of ITU-T Y.1564: checks that services, each with a
// committed rate and limits of loss and delay, are as sold.
//
//   configuration  each service alone, for a step each
//     cir          at 25, 50, 75 and 100 % of its committed rate (CIR): loss, latency and its
//                  variation within their limits at each
//     eir          at CIR + EIR, where it has an excess rate: no less than CIR arrives, of which
//                  as much may be lost as the service accepts
//     policing     where it is asked for, at CIR + 125 % of EIR, or 125 % of CIR + EIR where EIR
//                  is less than a fifth of CIR: likewise, and no more than CIR + EIR arrives, with
//                  a tolerance for the burst that a policer lets through
//   performance    all services at their CIR at once, for long: the limits again; only where every
//                  one passed the configuration
// A step of which less than 99 % could be offered is tried three times, and then fails as well: its
// service could not be tested. The performance step is tried once.
// Latency is judged by its mean, variation by the 99.9th percentile less the minimum, as in the
// objectives of Y.1541 and Y.1563. Rates count frames with FCS; a mix of lengths is sent by frames
// a second, and its bits follow from the mean length.
// Arrivals are counted until nothing moves any more, so frames that were still queued when the
// sender stopped are included in the rate.
// Not done here: colours (all tests are those without colours), availability by severely errored
// seconds, overlapping steps. The recommendation itself was not available: the procedure follows
// the documentation of testers that implement it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/gen/benchmarks/trial.h"
#include "tools/gen/generator.h"

namespace sluice::gen {

struct Service {
    Stream stream;       // whose rate is the test's
    double cir_fps = 1;  // frames a second
    double eir_fps = 0;  // likewise; 0: it has none
    double max_loss = 0;
    std::optional<Nanos> max_latency;
    std::optional<Nanos> max_variation;
    std::optional<double> policing;  // share of CIR + EIR that may come through beyond it
};

struct Y1564Settings {
    std::vector<Service> services;
    Nanos step{10'000'000'000};
    Nanos performance{900'000'000'000};  // a quarter of an hour
};

// The results of one service at one rate.
struct ServiceStep {
    std::string_view test;  // cir, eir, policing, performance
    double load = 1;        // of CIR
    double asked_fps = 0;
    double offered_fps = 0;
    double received_fps = 0;
    uint64_t offered = 0;
    uint64_t lost = 0;
    Quantiles latency;                // nanoseconds
    std::vector<std::string> faults;  // none: it passed

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
    std::vector<ServiceResult> services;  // services that were begun, in their order
    bool complete = false;                // nobody broke it off

    [[nodiscard]] bool configured() const;  // every service that was begun passed
    [[nodiscard]] bool passed() const;      // and the performance of all, too
};

Y1564 run_y1564(const Y1564Settings& settings, const RunStreams& run, const Say& say);

}  // namespace sluice::gen
