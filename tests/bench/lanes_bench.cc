// lanes: one port whose frames one worker receives, by one lane or by two, and two workers by a
// lane each, on a core each. All frames enter by that port and leave by two others, one a worker,
// whose far ends put them back into its queues: each core into the one that its lane receives from,
// so that with two workers half of the frames cross (workers_on_cores.h). The port's output is
// idle. `ratio` is to one lane. The three take turns; figures are medians, of `mpps` as it was, of
// `ratio` over rounds, of those that nobody disturbed (pace.h).
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "dataplane/types/address.h"
#include "pmd_glue/clock.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/large_pages.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/spread.h"
#include "tests/bench/crossed_rings.h"
#include "tests/bench/report.h"
#include "tests/bench/workers_on_cores.h"

namespace {

using namespace sluice;

constexpr std::size_t ends = 2;             // ports that frames leave by
constexpr std::size_t frames_an_end = 128;  // that go round
constexpr uint16_t octets_a_frame = 60;

constexpr MacAddress address_of(std::size_t end) { return {uint64_t{0x0200'0000'0100} + end}; }

// An address behind the fast port whose frames to `end` go by `queue`.
MacAddress source_for(std::size_t end, uint16_t queue) {
    std::array<uint8_t, 12> octets;
    write_address(octets.data(), address_of(end));
    for (uint64_t source = 0x0200'0000'0200;; ++source) {
        write_address(&octets[6], {source});
        if (pmd::queue_for(octets, ends) == queue) return {source};
    }
}

Settings settings_of(uint8_t lanes, uint8_t workers) {
    Settings settings;
    settings.workers = workers;
    settings.ports.resize(1 + ends);
    for (PortIndex end = 0; end < ends; ++end) {
        const auto worker = static_cast<WorkerIndex>(end % workers);
        const auto port = static_cast<PortIndex>(1 + end);
        settings.ports[port].worker = worker;
        settings.fdb.static_entries.push_back(
            {.vlan = 1, .address = address_of(end), .port = port});
        if (end > 0 && end < lanes) settings.lanes.push_back({.port = 0, .worker = worker});
    }
    return settings;
}

// A switch with frames going round.
class Running {
  public:
    Running(uint8_t lanes, uint8_t workers, pmd::Pool& pool, const pmd::Clock& clock)
        : workers_(workers), pool_(pool) {
        const std::string name = fmt::format("lanes{}x{}", lanes, workers);
        ports_.push_back(open(name + "/a,queues=2", lanes));
        fast_ = open(name + "/b,queues=2,spread", 1);
        for (std::size_t end = 0; end < ends; ++end) {
            ports_.push_back(open(fmt::format("{}end{}/a", name, end), 1));
            far_ends_.push_back(open(fmt::format("{}end{}/b", name, end), 1));
            for (std::size_t to = 0; to < ends; ++to) {
                sources_[end][to] = source_for(to, static_cast<uint16_t>(end));
            }
        }
        cores_ = std::make_unique<bench::WorkersOnCores<Running>>(settings_of(lanes, workers),
                                                                  ports_, *this, pool, clock);
        for (std::size_t end = 0; end < ends; ++end) send_new(end);
        cores_->settle();
    }
    void serve(WorkerIndex worker) {
        for (std::size_t end = worker; end < ends; end += workers_) {
            std::array<Frame, 32> room;
            send(end, std::span(room).first(far_ends_[end]->bursts().receive(room)));
        }
    }
    [[nodiscard]] bench::WorkersOnCores<Running>& cores() { return *cores_; }

  private:
    std::unique_ptr<pmd::Port> open(const std::string& end, uint16_t lanes) {
        return bench::require(
            pmd::Port::open({.name = end,
                             .device = bench::require(pmd::parse_device("ring:" + end)),
                             .lanes = lanes},
                            pool_));
    }
    void send_new(std::size_t end) {
        for (std::size_t sent = 0; sent < frames_an_end; sent += max_burst) {
            std::array<Frame, max_burst> fresh;
            if (!pool_.allocate(fresh, octets_a_frame)) std::exit(1);
            for (const Frame& frame : fresh) {
                std::fill_n(frame.data, octets_a_frame, uint8_t{0});
                write_16(frame.data + 12, 0x8100);
                write_16(frame.data + 14, 3 << 13 | 1);
                write_16(frame.data + 16, 0x88B5);
            }
            send(end, fresh);
        }
    }
    // By the queue of the end's own number, to either end in turn. The queues hold all there are.
    void send(std::size_t end, std::span<const Frame> frames) {
        for (const Frame& frame : frames) {
            const std::size_t to = next_[end].to ^= 1;
            write_address(frame.data, address_of(to));
            write_address(frame.data + 6, sources_[end][to]);
        }
        if (!frames.empty() && fast_->bursts().transmit(frames) != frames.size()) std::exit(1);
    }

    // Each of one core.
    struct alignas(64) Turn {
        std::size_t to = 0;
    };

    std::size_t workers_;
    pmd::Pool& pool_;
    std::vector<std::unique_ptr<pmd::Port>> ports_;     // the switch's
    std::unique_ptr<pmd::Port> fast_;                   // the far end of the first
    std::vector<std::unique_ptr<pmd::Port>> far_ends_;  // of the others
    std::array<std::array<MacAddress, ends>, ends> sources_;
    std::array<Turn, ends> next_;
    std::unique_ptr<bench::WorkersOnCores<Running>> cores_;
};

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    pmd::use_large_pages();
    const std::vector<unsigned> cpus = pmd::usable_cpus();
    if (cpus.size() < 2) {
        fmt::print(stderr, "lanes: left out, two workers take two CPUs\n");
        return 0;
    }
    const pmd::PoolRequest request{.buffers = 16384};
    auto eal = bench::require(pmd::Eal::start(
        {.worker_cpus = {cpus[0], cpus[1]}, .memory = pmd::Pool::memory_for(request)}));
    const auto pool = bench::require(pmd::Pool::create(request));
    const pmd::Clock clock = pmd::Clock::calibrated();
    struct Case {
        unsigned lanes;
        Running running;
        bench::Rounds mpps{};
        bench::Rounds ratios{};
    };
    std::array<Case, 3> cases{Case{1, Running(1, 1, *pool, clock)},
                              Case{2, Running(2, 1, *pool, clock)},
                              Case{2, Running(2, 2, *pool, clock)}};
    while (!cases.back().ratios.enough()) {
        const auto first = cases[0].running.cores().round(eal);
        for (Case& each : cases) {
            const auto found = &each == cases.data() ? first : each.running.cores().round(eal);
            each.mpps.add(found.mpps, found.pace);
            each.ratios.add(found.mpps / first.mpps, std::max(found.pace, first.pace));
        }
    }
    for (Case& each : cases) {
        nlohmann::ordered_json fields = {{"lanes", each.lanes},
                                         {"workers", each.running.cores().workers()},
                                         {"frame_bytes", octets_a_frame + 4},
                                         {"mpps", each.mpps.figure()},
                                         {"ratio", each.ratios.figure()},
                                         {"bypass_share", each.running.cores().share_of_bypass()},
                                         {"dropped", each.running.cores().dropped()}};
        each.ratios.tell(fields);
        report.add("lanes", std::move(fields));
    }
}
