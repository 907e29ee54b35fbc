// RFC 2889 5.6: the maximum forwarding rate, whatever is lost: one station sends another the rate
// of its line, then ever more up to the maximum offered load, and the most that ever came through
// is it. A device that is worse at dropping than at forwarding has it below that load, or below
// its line. Where one station cannot offer more than a line (on a CPU that it shares with the
// switch) it is that load, as the RFC says.
//
// The other half of 5.6, forward pressure, is whether a device sends with gaps of less than 96
// bits when it is sent gaps of 88. That takes a wire and a tester that times gaps on it: a ring
// has none, and neither has memif. It is reported as not measured.
#include <algorithm>
#include <array>

#include "tests/bench/rfc2889/tests.h"

namespace sluice::bench::rfc2889 {
namespace {

constexpr std::string_view no_wire =
    "not measured: it takes a wire, whose gaps a ring does not have";
// Of the line; and then as fast as it goes.
constexpr std::array<int64_t, 4> loads_percent = {100, 125, 150, 200};

gen::PhasePlan one_to_one(TestBench& bench, uint16_t frame_octets) {
    gen::PhasePlan trial = bench.trial(gen::Shape::pairs, frame_octets);
    trial.traffic.talkers = only(0);
    trial.traffic.host = bench.line_rate(frame_octets);
    trial.may_lose = true;
    return trial;
}

double offered_mpps(const gen::PhaseResult& result) {
    return static_cast<double>(result.results.offered) / result.seconds / 1e6;
}

void measure(TestBench& bench, uint16_t frame_octets) {
    std::vector<gen::PhaseResult> results;
    for (const int64_t load : loads_percent) {
        gen::PhasePlan trial = one_to_one(bench, frame_octets);
        trial.traffic.senders.rate = gen::Rate::frames(trial.traffic.host.value * load / 100);
        results.push_back(bench.run(std::move(trial)));
    }
    results.push_back(bench.run(one_to_one(bench, frame_octets)));
    const auto best = std::ranges::max_element(results, {}, &gen::PhaseResult::mpps);
    Finding finding = TestBench::finding_of("maximum_forwarding_rate", "5.6", *best);
    finding.fields["most_offered_mpps"] = offered_mpps(results.back());
    Json loads = Json::array();
    for (const gen::PhaseResult& result : results) {
        loads.push_back({{"offered_mpps", offered_mpps(result)},
                         {"mpps", result.mpps},
                         {"lost", result.results.lost}});
        finding.must_as(TestBench::finding_of("maximum_forwarding_rate", "5.6", result));
        const uint64_t refused = result.tally.drops[static_cast<std::size_t>(Drop::over_threshold)];
        finding.must(refused == result.tally.dropped(), "frames were dropped for another reason");
    }
    finding.fields["loads"] = loads;
    finding.fields["forward_pressure"] = no_wire;
    bench.report(finding);
}

}  // namespace

void maximum_forwarding_rate(TestBench& bench) {
    for (const uint16_t octets : bench.scale().frame_octets) measure(bench, octets);
}

}  // namespace sluice::bench::rfc2889
