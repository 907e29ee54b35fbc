// workers_scaling: the closed loop of two workers on two cores beside that of one on one core:
// eight ports on crossed rings, tagged frames that go round for ever (stations.h), uniform
// destinations, so that with two workers half of the frames cross. Each core runs the worker's own
// poll (pmd_glue/worker.h), and the far end of each of its ports: both ends of the rings are in
// the figure, in both cases alike. `ratio` is frames a second of two workers to one. The two take
// turns; figures are medians, of `mpps` as it was, of `ratio` over rounds. On cores that others use
// too it says nothing: whoever waits for the other worker waits for its core.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "dataplane/ledger.h"
#include "dataplane/switch.h"
#include "pmd_glue/clock.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/worker.h"
#include "tests/bench/crossed_rings.h"
#include "tests/bench/report.h"
#include "tests/bench/stations.h"

namespace {

using namespace sluice;

constexpr std::size_t port_count = 8;
constexpr std::size_t frames_a_port = 64;  // that go round
constexpr int rounds = 9;
constexpr std::chrono::milliseconds warm_up{50};
constexpr std::chrono::milliseconds round_time{300};

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
    Running(uint8_t workers, pmd::Pool& pool, const pmd::Clock& clock)
        : settings_(settings_of(workers)),
          rings_(fmt::format("scaling{}", workers), port_count, pool),
          stations_(rings_.hosts, pool, {}),
          dataplane_(settings_),
          ports_(pointers_to(rings_.ports)),
          crew_{.fabric = dataplane_,
                .ports = ports_,
                .pool = pool,
                .clock = clock,
                .options = {.idle = pmd::Idle::poll},
                .workers = workers,
                .settings = &settings_} {
        for (WorkerIndex worker = 0; worker < workers; ++worker) {
            cores_.push_back(std::make_unique<Core>(worker, *this));
        }
        for (PortIndex port = 0; port < port_count; ++port) dataplane_.set_link(port, true);
        introduce();
    }
    [[nodiscard]] unsigned workers() const { return crew_.workers; }

    // Millions of frames a second.
    double round(pmd::Eal& eal) {
        over_.store(false);
        const auto serve = [](void* core) {
            static_cast<Core*>(core)->serve();
            return 0;
        };
        for (std::size_t core = 0; core < cores_.size(); ++core) {
            eal.launch(core, serve, cores_[core].get());
        }
        std::this_thread::sleep_for(warm_up);
        const auto start = std::chrono::steady_clock::now();
        const uint64_t before = sent();
        std::this_thread::sleep_for(round_time);
        const uint64_t frames = sent() - before;
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - start;
        over_.store(true);
        for (std::size_t core = 0; core < cores_.size(); ++core) eal.wait(core);
        return static_cast<double>(frames) / took.count();
    }
    [[nodiscard]] uint64_t dropped() const {
        return ledger_of(dataplane_).dropped - dropped_before_;
    }

  private:
    struct Core {
        Core(WorkerIndex index, Running& running) : worker(index, running.crew_), all(running) {
            for (PortIndex port = 0; port < port_count; ++port) {
                if (running.dataplane_.worker_of(port) == index) ports.push_back(port);
            }
        }
        void poll() {
            worker.poll(all.crew_.clock.now());
            for (const PortIndex port : ports) all.stations_.send_back(port);
        }
        void serve() {
            while (!all.over_.load(std::memory_order_relaxed)) poll();
        }

        pmd::Worker worker;
        Running& all;
        std::vector<PortIndex> ports;
    };

    static std::vector<pmd::Port*> pointers_to(
        const std::vector<std::unique_ptr<pmd::Port>>& ports) {
        std::vector<pmd::Port*> pointers;
        for (const auto& port : ports) pointers.push_back(port.get());
        return pointers;
    }
    // So that the FDB knows every host before anything counts; what was flooded is let go of.
    void introduce() {
        for (PortIndex port = 0; port < port_count; ++port) stations_.send_new(port, 1);
        for (int poll = 0; poll < 100; ++poll) {
            for (const auto& core : cores_) core->worker.poll(crew_.clock.now());
        }
        stations_.forget();
        dropped_before_ = ledger_of(dataplane_).dropped;
        for (PortIndex port = 0; port < port_count; ++port) {
            stations_.send_new(port, frames_a_port);
        }
    }
    [[nodiscard]] uint64_t sent() const {
        uint64_t frames = 0;
        for (const auto& core : cores_) frames += core->worker.counters().sent.value();
        return frames;
    }

    Settings settings_;
    bench::CrossedRings rings_;
    bench::Stations stations_;
    Switch dataplane_;
    std::vector<pmd::Port*> ports_;
    pmd::Crew crew_;
    std::vector<std::unique_ptr<Core>> cores_;
    std::atomic<bool> over_{false};
    uint64_t dropped_before_ = 0;
};

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
    const pmd::Clock clock = pmd::Clock::calibrated();
    Running one(1, *pool, clock);
    Running two(2, *pool, clock);

    std::vector<double> of_one;
    std::vector<double> of_two;
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round) {
        of_one.push_back(one.round(eal));
        of_two.push_back(two.round(eal));
        ratios.push_back(of_two.back() / of_one.back());
    }
    const auto add = [&](const Running& running, std::vector<double> mpps, double ratio) {
        report.add("workers_scaling", {{"ports", port_count},
                                       {"frame_bytes", bench::StationFrames{}.octets + 4},
                                       {"workers", running.workers()},
                                       {"mpps", bench::middle_of(std::move(mpps))},
                                       {"ratio", ratio},
                                       {"dropped", running.dropped()}});
    };
    add(one, of_one, 1);
    add(two, of_two, bench::middle_of(ratios));
}
