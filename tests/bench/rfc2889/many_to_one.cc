// RFC 2889 5.2, many to one: all ports together send one port what its line takes, of which nothing
// may be lost. And beyond that, flat out: on a lossy priority what is lost was dropped by name;
// on a lossless one nothing is, because the switch pauses the senders.
#include <algorithm>

#include "tests/bench/rfc2889/tests.h"

namespace sluice::bench::rfc2889 {
namespace {

using namespace literals;

gen::PhasePlan to_one(TestBench& bench, uint16_t frame_octets) {
    gen::PhasePlan trial = bench.trial(gen::Shape::incast, frame_octets);
    trial.traffic.host = bench.line_rate(frame_octets);
    return trial;
}

// A core that somebody else had for a millisecond, stations or switch, leaves the
// queue a burst that no line would send: a trial that lost so is taken again.
void at_the_rate_of_one(TestBench& bench, uint16_t frame_octets) {
    constexpr int most_trials = 20;
    gen::PhasePlan trial = to_one(bench, frame_octets);
    const auto senders = static_cast<int64_t>(bench.scale().ports - 1);
    trial.traffic.senders.rate = gen::Rate::frames(trial.traffic.host.value / senders);
    gen::PhaseResult result;
    bool disturbed = false;
    int trials = 0;
    do {
        bench.device().clear_watermarks();
        result = bench.run(trial);
        disturbed = std::max(result.longest_gap, bench.device().longest_gap()) > 1_ms;
        ++trials;
    } while (result.results.lost > 0 && disturbed && trials < most_trials);
    Finding finding = TestBench::finding_of("many_to_one", "5.2", result);
    finding.fields["trials"] = trials;
    bench.report(finding);
}

void beyond_it(TestBench& bench, uint16_t frame_octets) {
    gen::PhasePlan trial = to_one(bench, frame_octets);
    trial.may_lose = true;
    const gen::PhaseResult result = bench.run_until(
        std::move(trial), [](const gen::Tally& passed) { return passed.dropped() > 0; });
    Finding finding = TestBench::finding_of("many_to_one_overloaded", "5.2", result);
    const uint64_t refused = result.tally.drops[static_cast<std::size_t>(Drop::over_threshold)];
    finding.fields["over_threshold"] = refused;
    finding.must(refused > 0, "the port was not overloaded");
    finding.must(refused == result.tally.dropped(), "frames were dropped for another reason");
    bench.report(finding);
}

void beyond_it_without_loss(TestBench& bench, uint16_t frame_octets) {
    gen::PhasePlan trial = to_one(bench, frame_octets);
    trial.traffic.senders.pattern.priorities = only_priority(gen::demo_lossless);
    const gen::PhaseResult result = bench.run_until(
        std::move(trial), [](const gen::Tally& passed) { return passed.pauses_sent > 0; });
    Finding finding = TestBench::finding_of("many_to_one_lossless", "5.2", result);
    finding.fields["pauses_sent"] = result.tally.pauses_sent;
    finding.must(result.tally.pauses_sent > 0, "nobody was paused");
    bench.report(finding);
}

}  // namespace

void many_to_one(TestBench& bench) {
    for (const uint16_t octets : bench.scale().frame_octets) {
        at_the_rate_of_one(bench, octets);
        beyond_it(bench, octets);
        beyond_it_without_loss(bench, octets);
    }
}

}  // namespace sluice::bench::rfc2889
