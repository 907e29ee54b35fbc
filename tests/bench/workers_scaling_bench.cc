// workers_scaling: the closed loop of two workers on two cores beside that of one on one core:
// eight ports on crossed rings, tagged frames that go round for ever (stations.h), uniform
// destinations, so that with two workers half of the frames cross. Each core has the far end of
// each of its ports with it (workers_on_cores.h), in both cases alike. `ratio` is frames a second
// of two workers to one. Once with so few frames that most VOQs hold one or none, and once with
// deep ones: what crosses is paid for by the grant. The two take turns; figures are medians, of
// `mpps` as it was, of `ratio` over rounds, of those that nobody disturbed (pace.h). Before them
// `ratio_apart`: two switches of one worker each, which share nothing, side by side, to one alone:
// what two cores of this machine are good for, with twice the frames and queues. And before that
// `ratio_exchanging`: two such switches whose stations hand as many frames across as cross in the
// switch of two workers (exchanging_switches.h), to the one alone behind it. (Devices are too few
// for three switches at a time.)
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "pmd_glue/clock.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/large_pages.h"
#include "pmd_glue/pool.h"
#include "tests/bench/crossed_rings.h"
#include "tests/bench/exchanging_switches.h"
#include "tests/bench/report.h"
#include "tests/bench/stations.h"
#include "tests/bench/workers_on_cores.h"

namespace {

using namespace sluice;

constexpr std::size_t port_count = 8;
constexpr std::array<std::size_t, 2> frames_a_port = {64, 256};  // that go round

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
    Running(uint8_t workers, std::size_t frames, pmd::Pool& pool, const pmd::Clock& clock,
            std::size_t first_core = 0)
        : workers_(workers),
          rings_(fmt::format("scaling{}from{}", workers, first_core), port_count, pool),
          stations_(rings_.hosts, pool, {}),
          cores_(settings_of(workers), rings_.ports, *this, pool, clock, first_core) {
        // So that the FDB knows every host before anything counts; what was flooded is freed.
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
    using Cores = bench::WorkersOnCores<Running>;
    [[nodiscard]] Cores& cores() { return cores_; }

  private:
    uint8_t workers_;
    bench::CrossedRings rings_;
    bench::Stations stations_;
    Cores cores_;
};

// What `one` and `both` carry, in turns, and how much more both do.
struct Turns {
    bench::Rounds of_one;
    bench::Rounds of_both;
    bench::Rounds ratio;
};
template <class Both>
Turns take_turns(Running& one, pmd::Eal& eal, Both both) {
    Turns turns;
    while (!turns.ratio.enough()) {
        const auto alone = one.cores().round(eal);
        const auto together = both();
        turns.of_one.add(alone.mpps, alone.pace);
        turns.of_both.add(together.mpps, together.pace);
        turns.ratio.add(together.mpps / alone.mpps, std::max(alone.pace, together.pace));
    }
    return turns;
}

void measure(bench::Report& report, std::size_t frames, pmd::Eal& eal, pmd::Pool& pool) {
    const pmd::Clock clock = pmd::Clock::calibrated();
    const double exchanging_mpps = [&] {
        bench::ExchangingSwitches exchanging(frames, pool, clock);
        bench::Rounds mpps;
        while (!mpps.enough()) {
            const auto round = exchanging.round(eal);
            mpps.add(round.mpps, round.pace);
        }
        return mpps.figure();
    }();
    Running one(1, frames, pool, clock);
    const double ratio_apart = [&] {
        Running beside(1, frames, pool, clock, 1);
        const auto both = [&] {
            return Running::Cores::round(eal, {&one.cores(), &beside.cores()});
        };
        return take_turns(one, eal, both).ratio.figure();
    }();
    Running two(2, frames, pool, clock);
    const Turns turns = take_turns(one, eal, [&] { return two.cores().round(eal); });

    const auto figures = [&](Running& running, const bench::Rounds& mpps, double to_one) {
        nlohmann::ordered_json fields = {{"ports", port_count},
                                         {"frame_bytes", bench::StationFrames{}.octets + 4},
                                         {"frames_a_port", frames},
                                         {"workers", running.cores().workers()},
                                         {"mpps", mpps.figure()},
                                         {"ratio", to_one},
                                         {"bypass_share", running.cores().share_of_bypass()},
                                         {"dropped", running.cores().dropped()}};
        turns.ratio.tell(fields);
        return fields;
    };
    report.add("workers_scaling", figures(one, turns.of_one, 1));
    auto of_both = figures(two, turns.of_both, turns.ratio.figure());
    of_both["ratio_apart"] = ratio_apart;
    of_both["ratio_exchanging"] = exchanging_mpps / turns.of_one.figure();
    report.add("workers_scaling", of_both);
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    pmd::use_large_pages();
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
