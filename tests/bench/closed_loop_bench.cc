// closed_loop: the whole switch on one core, on crossed rings: uniform tagged frames of 64 octets
// (FCS counted) go round for ever (closed_loop.h defines both figures). Short rounds, of which
// those count that nobody disturbed (pace.h). `--pfc` makes every priority lossless, `--timed`
// times one frame in 256 (dataplane/latency/), `--recorded` records every poll
// (dataplane/recorder/); `--underlays`, `--relays`, `--wred` and `--trim` set what they say
// (closed_loop.h), of which the frames meet nothing: what is left is what it costs to have it.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

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
        measure(report, *pool,
                {.ports = ports,
                 .pfc = has("--pfc"),
                 .underlays = has("--underlays"),
                 .relays = has("--relays"),
                 .wred = has("--wred"),
                 .trim = has("--trim"),
                 .latency_one_in = has("--timed") ? 256U : 0U,
                 .recorded = has("--recorded")},
                cycles_a_nano);
    }
}
