// islip_match: one matching of Islip with every VOQ asking (requests_percent 100), and with a few
// that ask at random (5), for 4 to 64 ports, 8 priorities, 2 iterations.
#include <benchmark/benchmark.h>

#include <random>

#include "dataplane/fabric/islip.h"
#include "tests/bench/report.h"

namespace {

using namespace sluice;

std::vector<RequestRow> requests_of(std::size_t ports, double density) {
    std::mt19937 draw(1);
    std::bernoulli_distribution asks(density);
    std::vector<RequestRow> rows(ports);
    for (RequestRow& row : rows) {
        for (PortSet& inputs : row.ports) {
            for (PortIndex input = 0; input < ports; ++input) {
                if (asks(draw)) inputs |= only(input);
            }
        }
    }
    return rows;
}

void islip_match(benchmark::State& state) {
    const auto ports = static_cast<std::size_t>(state.range(0));
    const auto percent = static_cast<double>(state.range(1));
    constexpr unsigned iterations = 2;
    const std::vector<RequestRow> rows = requests_of(ports, percent / 100);
    Requests requests;
    requests.rows = rows.data();
    requests.ports = ports;
    requests.inputs = first_ports(ports);
    requests.offer_all();
    Islip islip(iterations);
    Matching matching;
    for ([[maybe_unused]] const auto _ : state) {
        islip.match(requests, matching);
        benchmark::DoNotOptimize(matching.matched);
    }
    state.counters["ports"] = static_cast<double>(ports);
    state.counters["requests_percent"] = percent;
    state.counters["iterations"] = iterations;
}
BENCHMARK(islip_match)->ArgsProduct({{4, 16, 32, 64}, {100, 5}});

}  // namespace

int main(int count, char** arguments) { return sluice::bench::run_parts(count, arguments); }
