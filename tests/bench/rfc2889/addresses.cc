// RFC 2889 5.7, address caching capacity, and 5.8, address learning rate.
//
// In one trial the learning port sends a frame from each of so many hosts to the test port; then
// the test port sends a frame to each of them, and whatever reaches a port beside the learning one
// was flooded. Before it the FDB is flushed, and each station sends once, so those are in the table
// as well.
#include <chrono>

#include "tests/bench/rfc2889/tests.h"

namespace sluice::bench::rfc2889 {
namespace {

using namespace std::chrono_literals;
using namespace literals;

constexpr uint16_t shortest = 64;
constexpr PortIndex test_port = 0;

struct Learning {
    Finding finding;       // of the frames that the hosts sent, and of those to them
    double rate = 0;       // at which they were learned, a second
    uint64_t flooded = 0;  // of the frames to them
};

// `from` sends so many frames to the port that is its pair.
gen::PhasePlan talk(TestBench& bench, PortIndex from, uint32_t frames) {
    gen::PhasePlan trial = bench.trial(gen::Shape::pairs, shortest);
    trial.duration = 60_s;
    trial.traffic.talkers = only(from);
    trial.traffic.senders.frames = frames;
    return trial;
}

// A little at a poll, so where CPUs are short a large table takes seconds.
bool forget(gen::DemoSwitch& device) {
    device.forget_addresses();
    return device.attend_until([&] { return device.fabric().fdb().size() == 0; }, 60s) &&
           gen::introduce(device);
}

Learning learn(TestBench& bench, uint32_t hosts, gen::Rate rate) {
    const bool forgot = forget(bench.device());
    const auto learning_port = static_cast<PortIndex>(bench.scale().ports / 2);
    gen::PhasePlan learning = talk(bench, learning_port, hosts);
    learning.traffic.senders.from_hosts = hosts;
    learning.traffic.senders.rate = rate;
    const gen::PhaseResult learned = bench.run(std::move(learning));

    gen::PhasePlan testing = talk(bench, test_port, hosts);
    testing.traffic.senders.to_hosts = hosts;
    const gen::PhaseResult tested = bench.run(std::move(testing));

    Learning result{TestBench::finding_of({}, {}, tested)};
    result.finding.must_as(TestBench::finding_of({}, {}, learned));
    result.finding.must(forgot, "the switch did not forget, or did not hear the stations");
    result.finding.must(learned.results.offered == hosts && tested.results.offered == hosts,
                        "there was not enough time for a frame of every host");
    result.finding.must(learned.results.strays == 0, "frames to the test port were flooded");
    result.rate = hosts / learned.seconds;
    // A flooded frame is seen at every port but its own and the one that it is for.
    result.flooded = tested.results.strays / (bench.scale().ports - 2);
    return result;
}

}  // namespace

// Bisects between none and twice the configured size of the table.
void address_caching_capacity(TestBench& bench) {
    const auto stations = static_cast<uint32_t>(bench.scale().ports);
    Finding finding{"address_caching_capacity", "5.7", {}, {}};
    uint32_t cached = 0;
    uint32_t too_many = 2 * bench.scale().table;
    int trials = 0;
    for (; too_many - cached > 1; ++trials) {
        const uint32_t hosts = cached + (too_many - cached) / 2;
        const Learning trial = learn(bench, hosts, {});
        finding.must_as(trial.finding);
        (trial.flooded == 0 ? cached : too_many) = hosts;
    }
    const uint32_t capacity = cached + stations;
    finding.fields = {{"ports", stations},
                      {"frame_bytes", shortest},
                      {"configured", bench.scale().table},
                      {"capacity", capacity},
                      {"trials", trials}};
    finding.must(capacity == bench.scale().table, "it is not what the switch was told to hold");
    bench.report(finding);
}

// The highest rate after which nothing is flooded: what the switch takes, or, where that is too
// much, what halving the step finds to a sixteenth of it.
void address_learning_rate(TestBench& bench) {
    const uint32_t hosts = bench.scale().addresses;
    Learning best = learn(bench, hosts, {});
    const double most = best.rate;
    double rate = best.flooded == 0 ? most : 0;
    for (double step = most / 2; rate < most && step >= most / 16; step /= 2) {
        Learning trial = learn(bench, hosts, gen::Rate::frames(static_cast<int64_t>(rate + step)));
        if (trial.flooded > 0) continue;
        rate += step;
        best = std::move(trial);
    }
    best.finding.test = "address_learning_rate";
    best.finding.section = "5.8";
    best.finding.fields["addresses"] = hosts;
    best.finding.fields["mpps"] = rate / 1e6;
    best.finding.fields["flooded"] = best.flooded;
    best.finding.must(best.flooded == 0, "learned addresses were flooded at any rate");
    bench.report(best.finding);
}

}  // namespace sluice::bench::rfc2889
