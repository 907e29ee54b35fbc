// closed_loop: the whole switch on one core, on crossed rings: uniform tagged frames of 64 octets
// (FCS counted) go round for ever, a host's end of each ring sending back what it gets to the next
// destination. Two figures: the dataplane alone (I/O apart), and with everything that a frame needs
// here, which includes both ends of both rings. `--pfc` makes every priority lossless. Two options
// measure several cases instead, in turns, so that what disturbs the machine disturbs all of them,
// and give the ratio to the first case: `--formats` four ports and untagged frames of each frame
// format; `--addresses` two ports and 16 to 65,536 addresses, drawn at random.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "dataplane/ledger.h"
#include "dataplane/switch.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"
#include "tests/bench/crossed_rings.h"
#include "tests/bench/report.h"
#include "tests/bench/stations.h"

namespace {

using namespace sluice;

constexpr std::size_t frames_a_port = 64;  // that go round

struct Loop {
    Switch dataplane;
    bench::Stations stations;
    pmd::Pool& pool;
    std::vector<std::unique_ptr<pmd::Port>>& ports;  // the switch's ends
    Nanos now{1};
    uint64_t frames = 0;
    uint64_t dataplane_cycles = 0;
    const uint64_t empty_stage = cost_of_an_empty_stage();
    Released released;

    // So that the FDB knows all addresses, and nothing is flooded.
    void introduce() {
        for (PortIndex host = 0; host < stations.count(); ++host) {
            for (std::size_t number = 0; number < stations.addresses(); ++number) {
                stations.send_itself(host, number);
                poll_switch();
            }
        }
    }
    void fill() {
        for (PortIndex host = 0; host < stations.count(); ++host) {
            stations.send_new(host, frames_a_port);
        }
    }

    // Each stage is timed as the burst that it is. Reading the counter is not the switch's work:
    // what an empty stage takes is taken off.
    template <class Stage>
    void timed(Stage stage) {
        const uint64_t start = bench::cycles();
        stage();
        dataplane_cycles += bench::cycles() - start - empty_stage;
    }
    static uint64_t cost_of_an_empty_stage() {
        return static_cast<uint64_t>(bench::median_of(1001, [] {
            const uint64_t start = bench::cycles();
            return static_cast<double>(bench::cycles() - start);
        }));
    }

    void poll() {
        poll_switch();
        for (PortIndex host = 0; host < stations.count(); ++host) stations.send_back(host);
    }
    void poll_switch() {
        now += Nanos(1000);
        for (PortIndex port = 0; port < ports.size(); ++port) {
            std::array<Frame, bench::Stations::burst> burst;
            const std::size_t count = ports[port]->receive(burst);
            if (count == 0) continue;
            timed([&] { dataplane.receive(port, std::span(burst).first(count), now, released); });
            pool.apply(released);
        }
        timed([&] {
            for (int slot = 0; slot < 8 && dataplane.match() > 0; ++slot) dataplane.transfer(0);
        });
        for (PortIndex port = 0; port < ports.size(); ++port) {
            std::array<Frame, bench::Stations::burst> burst;
            std::size_t count = 0;
            timed([&] {
                std::array<uint8_t, pause_frame_octets> pause;
                if (dataplane.pause_frame(port, pause, now)) std::exit(1);  // nobody is crowded
                count = dataplane.transmit(port, burst, now);
            });
            const auto out = std::span(burst).first(count);
            const std::size_t sent = count == 0 ? 0 : ports[port]->transmit(out);
            timed([&] { dataplane.confirm(port, out, sent); });
            frames += sent;
        }
        timed([&] { dataplane.tend(0, now, released); });
    }
};

struct Case {
    std::size_t ports;
    bool pfc = false;  // every priority lossless
    FrameFormat format = presets[0];
    bool tagged = true;
    std::size_t addresses = 1;  // of each port
    uint32_t capacity = FdbSettings{}.capacity;
};

// A switch with frames going round.
class Running {
  public:
    Running(pmd::Pool& pool, const Case& with, const std::string& name)
        : rings_(name, with.ports, pool),
          loop_{.dataplane = Switch(settings_of(with)),
                .stations = {rings_.hosts, pool, {with.format, with.tagged, with.addresses}},
                .pool = pool,
                .ports = rings_.ports} {
        for (PortIndex port = 0; port < with.ports; ++port) loop_.dataplane.set_link(port, true);
        loop_.introduce();
        dropped_before_ = ledger_of(loop_.dataplane).dropped;
        loop_.fill();
        for (int warm = 0; warm < 20'000; ++warm) loop_.poll();
    }
    // Cycles a frame of the dataplane, and with everything.
    struct Cost {
        double apart = 0;
        double with_io = 0;
    };
    Cost round(int polls = 30'000) {
        loop_.frames = loop_.dataplane_cycles = 0;
        const uint64_t start = bench::cycles();
        for (int poll = 0; poll < polls; ++poll) loop_.poll();
        const auto frames = static_cast<double>(loop_.frames);
        return {static_cast<double>(loop_.dataplane_cycles) / frames,
                static_cast<double>(bench::cycles() - start) / frames};
    }
    [[nodiscard]] uint64_t dropped() const {
        return ledger_of(loop_.dataplane).dropped - dropped_before_;
    }

  private:
    static Settings settings_of(const Case& with) {
        Settings settings;
        settings.ports.resize(with.ports);
        settings.fdb.capacity = with.capacity;
        for (PortSettings& port : settings.ports) {
            port.pfc.lossless = with.pfc ? 0xFF : 0;
            port.pfc.headroom = Bytes(64 * 1024);
            port.format = with.format;
        }
        if (with.format.learns) return settings;
        for (PortIndex port = 0; port < with.ports; ++port) {
            settings.fdb.static_entries.push_back(
                {.vlan = 1, .address = bench::Stations::address(port), .port = port});
        }
        return settings;
    }

    bench::CrossedRings rings_;
    Loop loop_;
    uint64_t dropped_before_ = 0;
};

void measure(bench::Report& report, pmd::Pool& pool, Case with, double cycles_a_nano) {
    Running running(pool, with, fmt::format("closed{}", with.ports));
    double with_io = 0;
    const double apart = bench::median_of(9, [&] {
        const Running::Cost cost = running.round();
        with_io = cost.with_io;
        return cost.apart;
    });
    report.add("closed_loop", {{"ports", with.ports},
                               {"frame_bytes", bench::Stations::frame_octets + 4},
                               {"workers", 1},
                               {"pfc", !with_pfc  ? "left out"
                                       : with.pfc ? "on"
                                                  : "off"},
                               {"cycles_per_frame", apart},
                               {"cycles_per_frame_with_rings", with_io},
                               {"mpps", cycles_a_nano * 1000.0 / apart},
                               {"dropped", running.dropped()}});
}

// What is measured in turns with others, and what it is called in the results.
struct Contender {
    nlohmann::ordered_json fields;
    Case with;
};

// Short rounds in turns; the figure of each is the lower quartile of its rounds, since another
// program's turn on this core only ever adds.
void measure_in_turns(bench::Report& report, pmd::Pool& pool, const std::string& bench,
                      const std::vector<Contender>& contenders) {
    constexpr std::size_t rounds = 800;
    constexpr int polls = 250;  // well below what a program gets of a core at a time
    std::vector<std::unique_ptr<Running>> running;
    for (const Contender& contender : contenders) {
        running.push_back(
            std::make_unique<Running>(pool, contender.with, fmt::format("turn{}", running.size())));
    }
    std::vector<std::vector<double>> costs(running.size());
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t n = 0; n < running.size(); ++n) {
            running[n]->round(polls);  // with the caches as it leaves them
            costs[n].push_back(running[n]->round(polls).apart);
        }
    }
    for (std::vector<double>& of_one : costs) std::ranges::sort(of_one);
    for (std::size_t n = 0; n < running.size(); ++n) {
        const double figure = costs[n][rounds / 4];
        nlohmann::ordered_json fields = contenders[n].fields;
        fields["ports"] = contenders[n].with.ports;
        fields["frame_bytes"] = bench::Stations::frame_octets + 4;
        fields["cycles_per_frame"] = figure;
        fields["ratio"] = figure / costs[0][rounds / 4];
        fields["dropped"] = running[n]->dropped();
        report.add(bench, std::move(fields));
    }
}

void measure_formats(bench::Report& report, pmd::Pool& pool) {
    std::vector<Contender> contenders;
    for (std::size_t preset = 0; preset < presets.size(); ++preset) {
        contenders.push_back({{{"format", preset_names[preset]}},
                              {.ports = 4, .format = presets[preset], .tagged = false}});
    }
    measure_in_turns(report, pool, "format_cost", contenders);
}

// Two ports, since all five have to be there at the same time, and DPDK has 32 ports in all.
void measure_addresses(bench::Report& report, pmd::Pool& pool) {
    constexpr std::size_t ports = 2;
    std::vector<Contender> contenders;
    for (const std::size_t addresses : {16U, 256U, 4096U, 16'384U, 65'536U}) {
        contenders.push_back(
            {{{"addresses", addresses}},
             {.ports = ports, .addresses = addresses / ports, .capacity = 65'536}});
    }
    measure_in_turns(report, pool, "address_cost", contenders);
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
    bool formats = false;
    bool addresses = false;
    for (int n = 1; n < count; ++n) {
        pfc |= std::string_view(arguments[n]) == "--pfc";
        formats |= std::string_view(arguments[n]) == "--formats";
        addresses |= std::string_view(arguments[n]) == "--addresses";
    }
    if (formats) measure_formats(report, *pool);
    if (addresses) measure_addresses(report, *pool);
    if (formats || addresses) return 0;
    for (const std::size_t ports : {4U, 8U, 16U}) {
        measure(report, *pool, {.ports = ports, .pfc = pfc}, cycles_a_nano);
    }
}
