// RFC 2889 5.3: two devices, half of the stations at each, and one line between them. All send as
// fast as the devices take it: with local traffic everybody to everybody, without it each station
// to those at the other device, in both directions.
//
// On a lossy priority that is the forwarding rate at the maximum offered load, and what is lost
// there was dropped by name, before the line. On a lossless one it is the throughput, which the
// RFC would search: senders are paused so that nothing is lost, and that must hold through both
// devices.
#include "tests/bench/rfc2889/tests.h"

namespace sluice::bench::rfc2889 {
namespace {

void measure(TestBench& bench, std::string test, gen::Shape shape, bool lossless,
             uint16_t frame_octets) {
    gen::PhasePlan trial = bench.trial(shape, frame_octets);
    trial.may_lose = !lossless;
    if (lossless) trial.traffic.senders.pattern.priorities = only_priority(gen::demo_lossless);
    const gen::PhaseResult result = bench.run(std::move(trial));
    Finding finding = TestBench::finding_of(std::move(test), "5.3", result);
    const gen::Results& results = result.results;
    finding.fields["loss_percent"] =
        100.0 * static_cast<double>(results.lost) / static_cast<double>(results.offered);
    finding.fields["pauses_sent"] = result.tally.pauses_sent;
    finding.fields["flooded"] = results.strays;
    finding.must(results.strays == 0, "frames for addresses that are known were flooded");
    bench.report(finding);
}

}  // namespace

void partially_meshed_multiple_devices(TestBench& bench) {
    for (const uint16_t octets : bench.scale().frame_octets) {
        measure(bench, "multiple_devices", gen::Shape::across, false, octets);
        measure(bench, "multiple_devices_local", gen::Shape::uniform, false, octets);
        measure(bench, "multiple_devices_lossless", gen::Shape::across, true, octets);
    }
}

}  // namespace sluice::bench::rfc2889
