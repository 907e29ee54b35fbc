// closed_loop: the whole switch on one core, on crossed rings: uniform tagged frames of 64 octets
// (FCS counted) go round for ever (closed_loop.h tells both figures). `--pfc` makes every priority
// lossless.
#include <fmt/format.h>

#include <string_view>

#include "pmd_glue/eal.h"
#include "tests/bench/closed_loop.h"

namespace {

using namespace sluice;

void measure(bench::Report& report, pmd::Pool& pool, const bench::LoopCase& with,
             double cycles_a_nano) {
    bench::ClosedLoop<bench::CrossedRings> loop(pool, with, fmt::format("closed{}", with.ports));
    double with_io = 0;
    const double apart = bench::median_of(9, [&] {
        const auto cost = loop.round(30'000);
        with_io = cost.with_io;
        return cost.apart;
    });
    report.add("closed_loop", {{"ports", with.ports},
                               {"frame_bytes", with.frames.octets + 4},
                               {"workers", 1},
                               {"pfc", !with_pfc  ? "left out"
                                       : with.pfc ? "on"
                                                  : "off"},
                               {"cycles_per_frame", apart},
                               {"cycles_per_frame_with_rings", with_io},
                               {"mpps", cycles_a_nano * 1000.0 / apart},
                               {"dropped", loop.dropped()}});
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    const double cycles_a_nano = bench::cycles_a_nanosecond();
    const pmd::PoolRequest request{.buffers = 16384};
    const auto eal = bench::require(pmd::Eal::start(
        {.worker_cpus = {pmd::usable_cpus().front()}, .memory = pmd::Pool::memory_for(request)}));
    const auto pool = bench::require(pmd::Pool::create(request));
    bool pfc = false;
    for (int n = 1; n < count; ++n) pfc |= std::string_view(arguments[n]) == "--pfc";
    for (const std::size_t ports : {4U, 8U, 16U}) {
        measure(report, *pool, {.ports = ports, .pfc = pfc}, cycles_a_nano);
    }
}
