// closed_loop: the whole switch on one core, on crossed rings: uniform tagged frames of 64 octets
// (FCS counted) go round for ever, a host's end of each ring sending back what it gets to the next
// destination. Two figures: the dataplane alone (I/O apart), and with everything that a frame needs
// here, which includes both ends of both rings. `--pfc` makes every priority lossless.
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

namespace {

using namespace sluice;

constexpr std::size_t burst_size = 32;
constexpr uint16_t frame_octets = 60;
constexpr std::size_t frames_a_port = 64;  // that go round

struct Loop {
    Switch dataplane;
    pmd::Pool& pool;
    std::vector<std::unique_ptr<pmd::Port>>& ports;  // the switch's ends
    std::vector<std::unique_ptr<pmd::Port>>& hosts;  // the other ends
    std::vector<PortIndex> next;                     // destination, of each host
    Nanos now{1};
    uint64_t frames = 0;
    uint64_t dataplane_cycles = 0;
    const uint64_t empty_stage = cost_of_an_empty_stage();
    Released released;

    void write_addresses(const Frame& frame, PortIndex from) {
        const auto ports_count = static_cast<PortIndex>(hosts.size());
        next[from] = static_cast<PortIndex>((next[from] + 1) % ports_count);
        if (next[from] == from) next[from] = static_cast<PortIndex>((from + 1) % ports_count);
        write_address(frame.data, MacAddress{0x0200'0000'0100U + next[from]});
        write_address(frame.data + 6, MacAddress{0x0200'0000'0100U + from});
    }

    void send_new(PortIndex host, std::size_t count) {
        std::array<Frame, frames_a_port> frames_in;
        const auto fresh = std::span(frames_in).first(count);
        if (!pool.allocate(fresh, frame_octets)) std::exit(1);
        for (const Frame& frame : fresh) {
            std::fill_n(frame.data, frame_octets, uint8_t{0});
            write_addresses(frame, host);
            write_16(frame.data + 12, 0x8100);
            write_16(frame.data + 14, 3U << 13 | 1);
            write_16(frame.data + 16, 0x88B5);
        }
        hosts[host]->transmit(fresh);
    }
    // One frame from each host, so that the FDB knows them; what was flooded is let go of.
    void introduce() {
        for (PortIndex host = 0; host < hosts.size(); ++host) send_new(host, 1);
        for (int polls = 0; polls < 100; ++polls) poll_switch();
        for (const auto& host : hosts) {
            std::array<Frame, max_burst> burst;
            const std::size_t count = host->receive(burst);
            std::array<void*, max_burst> handles;
            for (std::size_t n = 0; n < count; ++n) handles[n] = burst[n].handle;
            pool.free(std::span(handles).first(count));
        }
    }
    void fill() {
        for (PortIndex host = 0; host < hosts.size(); ++host) send_new(host, frames_a_port);
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
        poll_hosts();
    }
    void poll_switch() {
        now += Nanos(1000);
        for (PortIndex port = 0; port < ports.size(); ++port) {
            std::array<Frame, burst_size> burst;
            const std::size_t count = ports[port]->receive(burst);
            if (count == 0) continue;
            timed([&] { dataplane.receive(port, std::span(burst).first(count), now, released); });
            pool.apply(released);
        }
        timed([&] {
            for (int slot = 0; slot < 8 && dataplane.match() > 0; ++slot) dataplane.transfer(0);
        });
        for (PortIndex port = 0; port < ports.size(); ++port) {
            std::array<Frame, burst_size> burst;
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
    void poll_hosts() {
        for (PortIndex host = 0; host < hosts.size(); ++host) {
            std::array<Frame, burst_size> burst;
            const std::size_t count = hosts[host]->receive(burst);
            for (const Frame& frame : std::span(burst).first(count)) write_addresses(frame, host);
            if (count > 0) hosts[host]->transmit(std::span(burst).first(count));
        }
    }
};

struct Case {
    std::size_t ports;
    bool pfc;  // every priority lossless
};

void measure(bench::Report& report, pmd::Pool& pool, Case with, double cycles_a_nano) {
    const std::size_t port_count = with.ports;
    Settings settings;
    settings.ports.resize(port_count);
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = with.pfc ? 0xFF : 0;
        port.pfc.headroom = Bytes(64 * 1024);
    }
    bench::CrossedRings rings(fmt::format("closed{}", port_count), port_count, pool);
    Loop loop{.dataplane = Switch(settings),
              .pool = pool,
              .ports = rings.ports,
              .hosts = rings.hosts,
              .next = std::vector<PortIndex>(port_count)};
    for (PortIndex port = 0; port < port_count; ++port) loop.dataplane.set_link(port, true);
    loop.introduce();
    const uint64_t dropped_before = ledger_of(loop.dataplane).dropped;
    loop.fill();
    for (int warm = 0; warm < 20'000; ++warm) loop.poll();

    double with_io = 0;
    const double apart = bench::median_of(9, [&] {
        constexpr int polls = 30'000;
        loop.frames = loop.dataplane_cycles = 0;
        const uint64_t start = bench::cycles();
        for (int poll = 0; poll < polls; ++poll) loop.poll();
        const auto frames = static_cast<double>(loop.frames);
        with_io = static_cast<double>(bench::cycles() - start) / frames;
        return static_cast<double>(loop.dataplane_cycles) / frames;
    });
    report.add("closed_loop", {{"ports", port_count},
                               {"frame_bytes", frame_octets + 4},
                               {"workers", 1},
                               {"pfc", !with_pfc  ? "left out"
                                       : with.pfc ? "on"
                                                  : "off"},
                               {"cycles_per_frame", apart},
                               {"cycles_per_frame_with_rings", with_io},
                               {"mpps", cycles_a_nano * 1000.0 / apart},
                               {"dropped", ledger_of(loop.dataplane).dropped - dropped_before}});
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
        measure(report, *pool, {ports, pfc}, cycles_a_nano);
    }
}
