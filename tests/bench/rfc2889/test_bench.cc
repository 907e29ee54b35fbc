#include "tests/bench/rfc2889/test_bench.h"

#include <fmt/format.h>

namespace sluice::bench::rfc2889 {

using namespace literals;

Scale Scale::quick() {
    Scale scale;
    scale.ports = 4;
    scale.frame_octets = {64, 1518};
    scale.duration = 100_ms;
    scale.table = 1024;
    scale.errored_rounds = 4;
    return scale;
}

gen::PhasePlan TestBench::trial(gen::Shape shape, uint16_t frame_octets) {
    gen::PhasePlan plan;
    plan.traffic = gen::demo_traffic(scale_.ports, shape, only_priority(0), frame_octets);
    plan.traffic.senders.run = next_run_++;
    plan.duration = scale_.duration;
    return plan;
}

gen::PhaseResult TestBench::run(gen::PhasePlan trial) {
    return gen::run_phase(device_, std::move(trial), [](const auto&, const auto&) { return true; });
}

gen::PhaseResult TestBench::run_until(gen::PhasePlan trial,
                                      const std::function<bool(const gen::Tally& passed)>& seen) {
    trial.duration = 60_s;
    const gen::Tally before = gen::tally_of(device_.fabric());
    const Nanos enough = device_.clock().now() + scale_.duration;
    return gen::run_phase(device_, std::move(trial), [&](const auto&, const auto&) {
        return device_.clock().now() < enough || !seen(gen::tally_of(device_.fabric()) - before);
    });
}

Finding TestBench::finding_of(std::string test, std::string_view section,
                              const gen::PhaseResult& result) {
    const gen::Results& results = result.results;
    const gen::PatternSettings& pattern = result.plan.traffic.senders.pattern;
    Finding finding{std::move(test), section, {}, {}};
    finding.fields = {{"ports", pattern.ports},     {"frame_bytes", pattern.frames.parts[0].octets},
                      {"offered", results.offered}, {"delivered", results.delivered},
                      {"lost", results.lost},       {"mpps", result.mpps}};
    finding.must(results.delivered > 0, "nothing arrived");
    finding.must(result.quiesced, "it did not come to rest");
    finding.must(result.balanced, "the switch's ledger does not balance");
    finding.must(results.lost == result.tally.dropped(),
                 fmt::format("{} frames were lost, but {} counted as dropped", results.lost,
                             result.tally.dropped()));
    finding.must(result.plan.may_lose || results.lost == 0,
                 fmt::format("{} frames were lost", results.lost));
    finding.must(results.reordered == 0 && results.duplicates == 0,
                 fmt::format("{} frames were out of order, {} came twice", results.reordered,
                             results.duplicates));
    return finding;
}

void TestBench::report(const Finding& finding) {
    Json fields = {{"test", finding.test}, {"section", finding.section}};
    fields.update(finding.fields);
    fields["ok"] = finding.broken.empty();
    if (!finding.broken.empty()) fields["broken"] = finding.broken;
    report_.add("rfc2889", std::move(fields));
    all_held_ &= finding.broken.empty();
}

}  // namespace sluice::bench::rfc2889
