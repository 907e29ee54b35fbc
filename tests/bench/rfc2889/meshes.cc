// What a mesh carries: throughput, frame loss and forwarding rate at the maximum offered load, and
// latency at four fifths of what was carried then. Nothing may be lost at either, nor flooded: when
// queues are full, rings are, and a full ring refuses.
#include "tests/bench/rfc2889/tests.h"

namespace sluice::bench::rfc2889 {
namespace {

struct Mesh {
    std::string test;
    std::string_view section;
    gen::Shape shape;
    PortSet talkers = ~PortSet{0};
};

// Of each sender, where every frame of `shape` is delivered once or to all others.
gen::Rate four_fifths(const gen::PhaseResult& flat_out) {
    const gen::Traffic& traffic = flat_out.plan.traffic;
    const gen::PatternSettings& pattern = traffic.senders.pattern;
    std::size_t senders = 0;
    for (PortIndex port = 0; port < pattern.ports; ++port) {
        senders += (traffic.talkers & only(port)) != 0 && gen::sends(pattern, port) ? 1U : 0U;
    }
    return flat_out.share_of_port(0.8 * pattern.ports /
                                  static_cast<double>(senders * gen::copies(pattern)));
}

gen::PhaseResult measure(TestBench& bench, const Mesh& mesh, uint16_t frame_octets) {
    gen::PhasePlan trial = bench.trial(mesh.shape, frame_octets);
    trial.traffic.talkers = mesh.talkers;
    gen::PhaseResult flat_out = bench.run(trial);
    Finding finding = TestBench::finding_of(mesh.test, mesh.section, flat_out);

    gen::PhasePlan paced = bench.trial(mesh.shape, frame_octets);
    paced.traffic.talkers = mesh.talkers;
    paced.traffic.senders.rate = four_fifths(flat_out);
    const gen::PhaseResult at_rate = bench.run(paced);
    finding.must_as(TestBench::finding_of(mesh.test, mesh.section, at_rate));

    const uint64_t flooded = flat_out.results.strays + at_rate.results.strays;
    finding.fields["flooded"] = flooded;
    finding.fields["p50_ns"] = at_rate.results.latency.quantile(0.5);
    finding.fields["p99_ns"] = at_rate.results.latency.quantile(0.99);
    finding.must(flooded == 0, "frames for addresses that are known were flooded");
    bench.report(finding);
    return flat_out;
}

void measure_all(TestBench& bench, const Mesh& mesh) {
    for (const uint16_t octets : bench.scale().frame_octets) measure(bench, mesh, octets);
}

}  // namespace

void fully_meshed(TestBench& bench) {
    for (const uint16_t octets : bench.scale().frame_octets) {
        const gen::PhaseResult result =
            measure(bench, {"fully_meshed", "5.1", gen::Shape::uniform}, octets);
        bench.set_line_rate(octets, result.share_of_port(0.5));
    }
}

void one_to_many(TestBench& bench) {
    measure_all(bench, {"one_to_many", "5.2", gen::Shape::uniform, only(0)});
}

void partially_meshed_unidirectional(TestBench& bench) {
    measure_all(bench, {"partially_meshed_unidirectional", "5.4", gen::Shape::halves});
}

void broadcast(TestBench& bench) {
    measure_all(bench, {"broadcast", "5.10", gen::Shape::broadcast, only(0)});
}

}  // namespace sluice::bench::rfc2889
