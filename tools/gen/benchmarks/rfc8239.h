// Rfc8239: runs the tests of RFC 8239 (data centre benchmarking) that need only frames, for one mix
// of lengths, one after the other, by trials with real traffic. The last port is overloaded.
//
//   buffering    3.3: the first port sends to the last one at its whole rate, and a second port
//                adds the share `excess` of that rate; then all others together send 1 + `excess`
//                of the rate. The result is the number of frames beyond the rate of the last port,
//                in the longest run without loss
//   microburst   4.3: all others send a burst to the last port at the same time, each at its whole
//                rate. The result is the longest burst of each without loss
//   head of line blocking
//                5.3: groups of four ports. The first sends half of its rate to the third and half
//                to the fourth; the second sends its whole rate to the fourth, which is overloaded.
//                The result is the loss on the way to the third. The test runs four times, so that
//                each port has each role
// 100 % is `rate`, which must be the rate of a port of the device. If its outputs are faster, its
// buffer does not fill, and the results report that they have no bound.
// Not here: line rate (2), which rfc2544.h tests; incast (6), which needs TCP; jitter.
#pragma once

#include <optional>
#include <vector>

#include "tools/gen/benchmarks/trial.h"
#include "tools/gen/generator.h"

namespace sluice::gen {

struct Rfc8239Settings {
    SenderSettings sender;  // common settings: ports, priority, VLAN, pauses
    Rate rate;              // rate of a port; not unlimited
    Nanos trial{60'000'000'000};
    double excess = 0.01;  // as the RFC recommends
    unsigned bursts = 5;   // number of searches of the longest microburst
};

struct Buffering {
    std::size_t senders = 2;
    double frames = 0;        // frames beyond the port's rate, held without loss
    bool is_bounded = false;  // whether a longer run had loss
};

struct Microburst {
    std::size_t senders = 1;
    std::vector<double> longest;  // result of each search, in frames of each sender
    bool is_bounded = false;

    [[nodiscard]] double mean() const;
};

// The results with the roles shifted by `shift` ports.
struct Blocking {
    unsigned shift = 0;
    // Sums over the groups: frames through the uncongested output (`victim`) and the congested one.
    uint64_t victim_offered = 0;
    uint64_t victim_lost = 0;
    uint64_t congested_offered = 0;
    uint64_t congested_lost = 0;
    Quantiles victim_latency;  // nanoseconds; the worst of the groups
};

struct Rfc8239 {
    NamedMix mix;
    std::vector<Buffering> buffering;
    std::optional<Microburst> microburst;
    std::vector<Blocking> blocking;  // empty with fewer than four ports
    bool complete = false;           // whether the tests were not interrupted
};

// Runs the tests. Requires three ports or more.
Rfc8239 run_rfc8239(const NamedMix& mix, const Rfc8239Settings& settings, const RunStreams& run,
                    const Say& say);

}  // namespace sluice::gen
