// RFC 2889 5.5: in each block of four ports two send at line rate, the one by halves to a port of
// its own and to one that it shares, the other to the shared port alone, which so gets half as much
// again as its line takes.
// Head of line blocking is when the uncongested port loses; it must not. Backpressure is when the
// congested one does not: there is none on a lossy priority, and on a lossless one it is by PFC.
#include "tests/bench/rfc2889/tests.h"

namespace sluice::bench::rfc2889 {
namespace {

bool is_congested(PortIndex port) { return port % 4 == 3; }

uint64_t lost_at(const gen::PhaseResult& result, bool congested) {
    uint64_t lost = 0;
    for (const gen::FlowResult& flow : result.results.flows) {
        if (is_congested(flow.flow.receiver) == congested) lost += flow.lost();
    }
    return lost;
}

void congest(TestBench& bench, uint16_t frame_octets, bool lossless) {
    gen::PhasePlan trial = bench.trial(gen::Shape::congestion, frame_octets);
    trial.traffic.senders.rate = trial.traffic.host = bench.line_rate(frame_octets);
    trial.may_lose = !lossless;
    if (lossless) {
        trial.traffic.senders.pattern.priorities = only_priority(gen::demo_lossless);
    }
    const gen::PhaseResult result =
        bench.run_until(std::move(trial), [&](const gen::Tally& passed) {
            return (lossless ? passed.pauses_sent : passed.dropped()) > 0;
        });
    Finding finding = TestBench::finding_of(
        lossless ? "congestion_control_lossless" : "congestion_control", "5.5", result);
    const uint64_t lost = lost_at(result, true);
    const uint64_t lost_beside = lost_at(result, false);
    finding.fields["lost_congested"] = lost;
    finding.fields["lost_uncongested"] = lost_beside;
    finding.fields["pauses_sent"] = result.tally.pauses_sent;
    finding.fields["backpressure"] = lost == 0;
    // A sender that is paused for the congested port sends less to the other one as well: what is
    // blocked by that is blocked in the sender, and no loss shows it.
    if (!lossless) finding.fields["head_of_line_blocking"] = lost_beside > 0;
    finding.must(lost_beside == 0, "the uncongested port lost frames: head of line blocking");
    if (lossless) {
        finding.must(result.tally.pauses_sent > 0, "the congested port was not: nobody was paused");
    } else {
        finding.must(lost > 0, "the congested port was not: it lost nothing");
    }
    bench.report(finding);
}

}  // namespace

void congestion_control(TestBench& bench) {
    for (const uint16_t octets : bench.scale().frame_octets) {
        congest(bench, octets, false);
        congest(bench, octets, true);
    }
}

}  // namespace sluice::bench::rfc2889
