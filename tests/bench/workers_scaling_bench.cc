// workers_scaling: the closed loop of two workers on two cores beside that of one on one core:
// eight ports on crossed rings, tagged frames that go round for ever (stations.h), uniform
// destinations, so that with two workers half of the frames cross. Each core has the far end of
// each of its ports with it (workers_on_cores.h), in both cases alike. `ratio` is frames a second
// of two workers to one. Once with so few frames that most VOQs hold one or none, and once with
// deep ones: what crosses is paid for by the grant. The two take turns; figures are medians, of
// `mpps` as it was, of `ratio` over rounds.
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "pmd_glue/clock.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/pool.h"
#include "tests/bench/crossed_rings.h"
#include "tests/bench/report.h"
#include "tests/bench/stations.h"
#include "tests/bench/workers_on_cores.h"

namespace {

using namespace sluice;

constexpr std::size_t port_count = 8;
constexpr std::array<std::size_t, 2> frames_a_port = {64, 256};  // that go round
constexpr int rounds = 9;

Settings settings_of(uint8_t workers) {
    Settings settings;
    settings.workers = workers;
    settings.ports.resize(port_count);
    for (PortIndex port = 0; port < port_count; ++port) {
        settings.ports[port].worker = static_cast<WorkerIndex>(port % workers);
    }
    return settings;
}

// A switch with frames going round.
class Running {
  public:
    Running(uint8_t workers, std::size_t frames, pmd::Pool& pool, const pmd::Clock& clock)
        : workers_(workers),
          rings_(fmt::format("scaling{}", workers), port_count, pool),
          stations_(rings_.hosts, pool, {}),
          cores_(settings_of(workers), rings_.ports, *this, pool, clock) {
        // So that the FDB knows every host before anything counts; what was flooded is let go of.
        for (PortIndex port = 0; port < port_count; ++port) stations_.send_new(port, 1);
        cores_.settle();
        stations_.forget();
        for (std::size_t given = 0; given < frames; given += max_burst) {
            for (PortIndex port = 0; port < port_count; ++port) {
                stations_.send_new(port, max_burst);
            }
        }
    }
    void serve(WorkerIndex worker) {
        for (PortIndex port = worker; port < port_count;
             port = static_cast<PortIndex>(port + workers_)) {
            stations_.send_back(port);
        }
    }
    [[nodiscard]] bench::WorkersOnCores<Running>& cores() { return cores_; }

  private:
    uint8_t workers_;
    bench::CrossedRings rings_;
    bench::Stations stations_;
    bench::WorkersOnCores<Running> cores_;
};

void measure(bench::Report& report, std::size_t frames, pmd::Eal& eal, pmd::Pool& pool) {
    const pmd::Clock clock = pmd::Clock::calibrated();
    Running one(1, frames, pool, clock);
    Running two(2, frames, pool, clock);

    std::vector<double> of_one;
    std::vector<double> of_two;
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round) {
        of_one.push_back(one.cores().round(eal));
        of_two.push_back(two.cores().round(eal));
        ratios.push_back(of_two.back() / of_one.back());
    }
    const auto add = [&](Running& running, std::vector<double> mpps, double ratio) {
        report.add("workers_scaling", {{"ports", port_count},
                                       {"frame_bytes", bench::StationFrames{}.octets + 4},
                                       {"frames_a_port", frames},
                                       {"workers", running.cores().workers()},
                                       {"mpps", bench::middle_of(std::move(mpps))},
                                       {"ratio", ratio},
                                       {"dropped", running.cores().dropped()}});
    };
    add(one, of_one, 1);
    add(two, of_two, bench::middle_of(ratios));
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    const std::vector<unsigned> cpus = pmd::usable_cpus();
    if (cpus.size() < 2) {
        fmt::print(stderr, "workers_scaling: left out, two workers take two CPUs\n");
        return 0;
    }
    const pmd::PoolRequest request{.buffers = 16384};
    auto eal = bench::require(pmd::Eal::start(
        {.worker_cpus = {cpus[0], cpus[1]}, .memory = pmd::Pool::memory_for(request)}));
    const auto pool = bench::require(pmd::Pool::create(request));
    for (const std::size_t frames : frames_a_port) measure(report, frames, eal, *pool);
}
