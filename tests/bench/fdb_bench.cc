// fdb_lookup: random hits in tables of 1 Ki to 1 Mi addresses, probed 32 at a time as the frame
// path does (hash and prefetch all, then compare). `ns` is of one hit.
#include <benchmark/benchmark.h>

#include <random>

#include "dataplane/forward/fdb.h"
#include "tests/bench/report.h"

namespace {

using namespace sluice;

constexpr std::size_t burst = 32;

void fdb_lookup(benchmark::State& state) {
    const auto addresses = static_cast<uint32_t>(state.range(0));
    Fdb fdb(addresses, 42);
    std::mt19937_64 draw(1);
    std::vector<Fdb::Key> keys;
    for (uint32_t n = 0; n < addresses; ++n) {
        keys.push_back(Fdb::key_of(1, MacAddress{draw() & 0xFEFF'FFFF'FFFF}));
        fdb.learn(fdb.probe(keys.back()), static_cast<PortIndex>(n % max_ports), 1);
    }
    std::vector<Fdb::Key> sought(1U << 20);
    for (Fdb::Key& key : sought) key = keys[draw() % keys.size()];

    std::size_t at = 0;
    std::size_t left = 0;  // of the burst
    std::array<Fdb::Probe, burst> probes;
    for ([[maybe_unused]] const auto _ : state) {
        if (left == 0) {
            at = at + burst < sought.size() ? at + burst : 0;
            for (std::size_t n = 0; n < burst; ++n) {
                probes[n] = fdb.probe(sought[at + n]);
                fdb.prefetch(probes[n]);
            }
            left = burst;
        }
        benchmark::DoNotOptimize(fdb.find(probes[--left]));
    }
    state.counters["addresses"] = addresses;
    state.counters["learned"] = static_cast<double>(fdb.size());
}
BENCHMARK(fdb_lookup)->Arg(1 << 10)->Arg(1 << 14)->Arg(1 << 16)->Arg(1 << 20);

}  // namespace

int main(int count, char** arguments) { return sluice::bench::run_parts(count, arguments); }
