// ring_latency: how long a frame of 64 octets takes from one station to another through the whole
// switch on four ring ports, at half of the rate that the switch and the generator carry flat out:
// what the demo runs (tools/gen), the switch's worker on one core and the generator on the other,
// uniform, priorities 0, 3 and 5.
//
// In the figure: both rings, the worker's polls, and how late the generator looks for the frame.
// Not in it: a NIC. p50, p99 and p99.9 are medians over rounds of a fifth of a second each, so that
// a core taken away for some milliseconds once a second is in the rounds that it happened in;
// `worst_p99_ns` is that of the worst round, `max_ns` the largest of all. `longest_gap_ns` is the
// worker's longest time between polls since it started: on a core that others use too it is theirs,
// and the tail with it. `taken_percent` is what a thread that does nothing else misses of a core's
// time, in pieces of 5 us and more, of the worse of the two before the switch starts: each piece
// delays whatever is under way. `bypass_share` is of the rounds at half of the load.
#include <fmt/format.h>
#include <sched.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "pmd_glue/clock.h"
#include "pmd_glue/eal.h"
#include "tests/bench/bypass_share.h"
#include "tests/bench/report.h"
#include "tools/gen/demo/phases.h"

namespace {

using namespace sluice;

constexpr int trials = 5;  // flat out
constexpr int rounds = 25;

void stay_on(std::span<const unsigned> cpus) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const unsigned cpu : cpus) CPU_SET(cpu, &set);
    ::sched_setaffinity(0, sizeof set, &set);
}

double taken_percent(const pmd::Clock& clock) {
    constexpr Nanos looked = Nanos(1'000'000'000);
    constexpr Nanos shortest = Nanos(5'000);
    const Nanos start = clock.now();
    Nanos taken;
    for (Nanos last = start; last - start < looked;) {
        const Nanos now = clock.now();
        if (now - last >= shortest) taken += now - last;
        last = now;
    }
    return 100 * static_cast<double>(taken.count()) / static_cast<double>(looked.count());
}

int fail(std::string_view why) {
    fmt::print(stderr, "ring_latency: {}\n", why);
    return 1;
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    spdlog::set_level(spdlog::level::err);
    const std::vector<unsigned> cpus = pmd::usable_cpus();
    const auto clock = pmd::Clock::calibrated();
    double taken = 0;
    for (const unsigned cpu : std::span(cpus).first(std::min<std::size_t>(2, cpus.size()))) {
        stay_on({&cpu, 1});
        taken = std::max(taken, taken_percent(clock));
    }
    stay_on(cpus);
    const gen::DemoSettings settings{.duration = Nanos(400'000'000)};  // paced, half of that
    auto demo = gen::DemoSwitch::start(settings.ports, settings.frame_octets, "");
    if (!demo) {
        for (const std::string& line : demo.error()) fail(line);
        return 1;
    }
    if ((*demo)->shares_cpu()) {
        fmt::print(stderr, "ring_latency: left out, switch and generator take two CPUs\n");
        return 0;
    }
    gen::DemoPhases phases(**demo, settings);
    if (!phases.introduce()) return fail("the switch did not learn where the stations are");
    const auto look = [](const gen::PhasePlan&, const gen::Generator&) { return true; };
    std::vector<gen::PhaseResult> flat;
    for (int trial = 0; trial < trials; ++trial) flat.push_back(phases.uniform(look));
    std::ranges::sort(flat, {}, &gen::PhaseResult::mpps);
    const gen::PhaseResult& flat_out = flat[trials / 2];

    constexpr std::array quantiles = {0.5, 0.99, 0.999};
    std::array<std::vector<double>, quantiles.size()> latency;
    std::vector<double> mpps;
    uint64_t longest = 0;
    uint64_t lost = 0;
    const bench::BypassCount before = bench::count_bypass((*demo)->fabric());
    for (int round = 0; round < rounds; ++round) {
        const gen::PhaseResult half = phases.uniform_paced(flat_out, gen::one_half, look);
        for (std::size_t n = 0; n < quantiles.size(); ++n) {
            const uint64_t nanoseconds = half.results.latency.quantile(quantiles[n]);
            latency[n].push_back(static_cast<double>(nanoseconds));
        }
        mpps.push_back(half.mpps);
        longest = std::max(longest, half.results.latency.max());
        lost += half.results.lost;
    }
    const bench::BypassCount after = bench::count_bypass((*demo)->fabric());
    report.add("ring_latency", {{"ports", settings.ports},
                                {"frame_bytes", settings.frame_octets},
                                {"workers", 1},
                                {"load_mpps", bench::middle_of(mpps)},
                                {"carried_mpps", flat_out.mpps},
                                {"p50_ns", bench::middle_of(latency[0])},
                                {"p99_ns", bench::middle_of(latency[1])},
                                {"p999_ns", bench::middle_of(latency[2])},
                                {"worst_p99_ns", std::ranges::max(latency[1])},
                                {"max_ns", longest},
                                {"longest_gap_ns", (*demo)->longest_gap().count()},
                                {"taken_percent", taken},
                                {"bypass_share", after.since(before).share()},
                                {"lost", lost}});
}
