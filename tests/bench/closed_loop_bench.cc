// closed_loop: the whole switch on one core, on crossed rings: uniform tagged frames of 64 octets
// (FCS counted) go round for ever (closed_loop.h defines both figures). Short rounds, of which
// those count that nobody disturbed (pace.h). `--pfc` makes every priority lossless, `--timed`
// times one frame in 256 (dataplane/latency/); `--underlays`, `--relays`, `--wred` and `--trim` set
// what they say (closed_loop.h), of which the frames meet nothing: what is left is what it costs to
// have it. recorder_cost, with `--recorder`: what it costs to record every poll of all ports and
// priorities (dataplane/recorder/). ipfix_cost, with `--ipfix`: what it costs to sample all queues
// every fourth poll (dataplane/ipfix/).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "pmd_glue/eal.h"
#include "pmd_glue/large_pages.h"
#include "tests/bench/closed_loop.h"
#include "tests/bench/pace.h"

namespace {

using namespace sluice;

void measure(bench::Report& report, pmd::Pool& pool, const bench::LoopCase& with,
             double cycles_a_nano) {
    bench::ClosedLoop<bench::CrossedRings> loop(pool, with, fmt::format("closed{}", with.ports));
    bench::Rounds apart;
    bench::Rounds with_io;
    for (int round = 0; round < 400; ++round) {
        const double before = bench::pace_now();
        const auto cost = loop.round(4000 / with.ports);
        const double pace = std::max(before, bench::pace_now());
        apart.add(cost.apart, pace);
        with_io.add(cost.with_io, pace);
    }
    nlohmann::ordered_json fields = {{"ports", with.ports},
                                     {"frame_bytes", with.frames.octets + 4},
                                     {"workers", 1},
                                     {"pfc", !with_pfc  ? "left out"
                                             : with.pfc ? "on"
                                                        : "off"},
                                     {"latency_sample", with.latency_one_in},
                                     {"cycles_per_frame", apart.figure()},
                                     {"cycles_per_frame_with_rings", with_io.figure()},
                                     {"mpps", cycles_a_nano * 1000.0 / apart.figure()},
                                     {"bypass_share", loop.share_of_bypass()},
                                     {"dropped", loop.dropped()}};
    apart.tell(fields);
    report.add("closed_loop", std::move(fields));
}

using Loop = bench::ClosedLoop<bench::CrossedRings>;

// Apart: turns so short that what disturbs the machine falls into few of them, of which the lower
// quartile is not one.
void measure_turns(bench::Report& report, pmd::Pool& pool, std::size_t ports, const char* name,
                   void (Loop::*turn_on)(bool)) {
    Loop loop(pool, {.ports = ports}, fmt::format("{}{}", name, ports));
    std::array<std::vector<double>, 2> turns;
    std::vector<double> ratios;
    for (int turn = 0; turn < 6000; ++turn) {
        const auto is_on = static_cast<std::size_t>(turn % 2);
        (loop.*turn_on)(is_on != 0);
        loop.round(4);
        turns[is_on].push_back(loop.round(16).apart);
        if (is_on != 0) ratios.push_back(turns[1].back() / turns[0].back());
    }
    const auto quantile = [](std::vector<double>& of, std::size_t quarter) {
        std::ranges::sort(of);
        return of[of.size() * quarter / 4];
    };
    const double off = quantile(turns[0], 1);
    for (const bool is_on : {false, true}) {
        const double cost = quantile(turns[is_on ? 1 : 0], 1);
        report.add(name, {{"variant", is_on ? "on" : "off"},
                          {"ports", ports},
                          {"frame_bytes", 64},
                          {"cycles_per_frame", cost},
                          {"ratio", cost / off},
                          {"spread", is_on ? quantile(ratios, 3) - quantile(ratios, 1) : 0.0},
                          {"bypass_share", loop.share_of_bypass()}});
    }
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    pmd::use_large_pages();
    const double cycles_a_nano = bench::cycles_a_nanosecond();
    const pmd::PoolRequest request{.buffers = 16384};
    const auto eal = bench::require(pmd::Eal::start(
        {.worker_cpus = {pmd::usable_cpus().front()}, .memory = pmd::Pool::memory_for(request)}));
    const auto pool = bench::require(pmd::Pool::create(request));
    const auto has = [&](std::string_view word) {
        return std::find(arguments + 1, arguments + count, word) != arguments + count;
    };
    for (const std::size_t ports : {4U, 8U, 16U}) {
        if (has("--recorder")) {
            measure_turns(report, *pool, ports, "recorder_cost", &Loop::record);
            continue;
        }
        if (has("--ipfix")) {
            measure_turns(report, *pool, ports, "ipfix_cost", &Loop::sample);
            continue;
        }
        measure(report, *pool,
                {.ports = ports,
                 .pfc = has("--pfc"),
                 .underlays = has("--underlays"),
                 .relays = has("--relays"),
                 .wred = has("--wred"),
                 .trim = has("--trim"),
                 .latency_one_in = has("--timed") ? 256U : 0U},
                cycles_a_nano);
    }
}
