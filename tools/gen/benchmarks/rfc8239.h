// Rfc8239: the tests of RFC 8239 (data centre benchmarking) that frames alone can make, for one mix
// of lengths, one after the other, by trials with real traffic. The last port is overloaded.
//
//   buffering    3.3: one port sends its whole rate to the last and a second one `excess` of that
//                beside it, then all others together 1 + `excess` of it: how many frames came
//                beyond what the last can send, in the longest run that lost nothing
//   microburst   4.3: all others send a burst to the last at the same time, each at its whole rate:
//                the longest, of each, that loses nothing
//   head of line blocking
//                5.3: groups of four ports: the first sends half of its rate to the third and half
//                to the fourth, and the second its whole rate to the fourth, which gets too much:
//                what is lost on the way to the third. Four times, each with every port one
//                further, so that each has been each
// 100 % is `rate`, which is to be what a port of the device sends: where its outputs are faster
// nothing fills its buffer, and the results say that they have no bound.
// Not done here: line rate (2), which rfc2544.h tests; incast (6), which needs TCP; jitter.
#pragma once

#include <optional>
#include <vector>

#include "tools/gen/benchmarks/trial.h"
#include "tools/gen/generator.h"

namespace sluice::gen {

struct Rfc8239Settings {
    SenderSettings sender;  // common settings: ports, priority, VLAN, pauses
    Rate rate;              // of a port; not unlimited
    Nanos trial{60'000'000'000};
    double excess = 0.01;  // as the RFC recommends
    unsigned bursts = 5;   // how often the longest microburst is searched
};

struct Buffering {
    std::size_t senders = 2;
    double frames = 0;        // held without loss beyond the port's rate
    bool is_bounded = false;  // something was lost: it is not merely the longest that was tried
};

struct Microburst {
    std::size_t senders = 1;
    std::vector<double> longest;  // frames of each sender, of each search
    bool is_bounded = false;

    [[nodiscard]] double mean() const;
};

// The results with the roles moved on by `shift` ports.
struct Blocking {
    unsigned shift = 0;
    // Sums over the groups: frames through the output that had room, and through the congested one.
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
    std::vector<Blocking> blocking;  // none with fewer than four ports
    bool complete = false;           // nobody broke it off
};

// Needs three ports or more.
Rfc8239 run_rfc8239(const NamedMix& mix, const Rfc8239Settings& settings, const RunStreams& run,
                    const Say& say);

}  // namespace sluice::gen
