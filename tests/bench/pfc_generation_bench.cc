// pfc_generation: from the frame that crosses XOFF to the pause frame in the ring of the port's
// device: how long the rest of that port's burst takes. One worker on a
// core of its own; hosts behind one or three ports send bursts of frames of 64 octets to a port
// that is too slow for them, and no more after that; again and again, and each time another of
// those ports is watched.
//
// Both moments are seen from this thread, which looks at the switch's own state and counters
// without pause: the figure is at most a look too long and never too short. What happened while
// this thread did not look for a microsecond is left out, and counted; so is a burst that was
// interrupted and crossed nothing. Times are of single pauses; p50 and p99 over all of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

#include "dataplane/switch.h"
#include "pmd_glue/clock.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/large_pages.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"
#include "pmd_glue/workers.h"
#include "tests/bench/crossed_rings.h"
#include "tests/bench/report.h"

namespace {

using namespace sluice;
using namespace sluice::literals;

constexpr Priority priority = 3;
constexpr std::size_t port_count = 4;
constexpr PortIndex slow_port = port_count - 1;
constexpr MacAddress slow_host{0x0200'0000'0101};
constexpr int pauses = 1000;
constexpr std::size_t burst_size = 32;
constexpr std::size_t frames_a_port = 512;  // 256 are XOFF; some leave, some stand in headroom
constexpr uint16_t octets = 60;
constexpr Nanos longest_look = 1_us;
constexpr Nanos give_up_after = 20_ms;
constexpr Nanos silence = 200_us;

Settings settings_of() {
    Settings settings;
    settings.ports.resize(port_count);
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = only_priority(priority);
        port.pfc.xoff = 64_KiB;
        port.pfc.xon = 32_KiB;
        port.pfc.headroom = 256_KiB;
    }
    settings.ports[slow_port].rate = 1_Gbps;
    settings.fdb.static_entries.push_back({1, slow_host, slow_port});
    return settings;
}

class Incast {
  public:
    Incast(pmd::Eal& eal, pmd::Pool& pool, std::size_t senders)
        : pool_(pool),
          senders_(senders),
          rings_(fmt::format("incast{}", senders), port_count, pool),
          dataplane_(settings_),
          workers_(dataplane_, settings_, ends(), {&pool}, clock_, {.idle = pmd::Idle::poll}) {
        for (PortIndex port = 0; port < port_count; ++port) dataplane_.set_link(port, true);
        workers_.start(eal);
    }
    ~Incast() {
        while (!workers_.stop().empty()) continue;
    }
    Incast(const Incast&) = delete;
    Incast& operator=(const Incast&) = delete;

    // Empty: this thread did not look while it happened.
    std::optional<Nanos> pause(PortIndex watched) {
        const PauseSender& xoff = dataplane_.ingress(watched).pause_sender();
        const Counter& generated = dataplane_.counters(watched).generated;
        const uint64_t before = generated.value();
        send();
        const auto is_generated = [&] { return generated.value() != before; };
        // The pause may be over before this thread looks again.
        const Look crossed = look_until([&] { return xoff.pausing(priority) || is_generated(); });
        const Look handed = look_until(is_generated);
        drain();
        if (crossed.gap() > longest_look || handed.gap() > longest_look) return {};
        return handed.seen - crossed.not_yet;
    }

  private:
    struct Look {
        Nanos not_yet;
        Nanos seen;

        [[nodiscard]] Nanos gap() const { return seen - not_yet; }
    };

    std::vector<pmd::Port*> ends() {
        std::vector<pmd::Port*> ports;
        for (const auto& port : rings_.ports) ports.push_back(port.get());
        return ports;
    }
    template <class Condition>
    Look look_until(Condition condition) {
        const Nanos start = clock_.now();
        Look look{start, start};
        while (!condition()) {
            look.not_yet = look.seen;
            look.seen = clock_.now();
            if (look.seen - start > give_up_after) return {start, look.seen};
        }
        look.not_yet = look.seen;
        look.seen = clock_.now();
        return look;
    }
    // All is written before the first goes, so that the ports are busy at the same time.
    void send() {
        std::vector<Frame> frames(senders_ * frames_a_port);
        for (std::size_t n = 0; n < frames.size(); n += burst_size) {
            const auto burst = std::span(frames).subspan(n, burst_size);
            if (!pool_.allocate(burst, octets)) std::exit(1);
            for (const Frame& frame : burst) {
                write_address(frame.data, slow_host);
                write_address(frame.data + 6, {0x0200'0000'0200});
                write_16(frame.data + 12, 0x8100);
                write_16(frame.data + 14, priority << 13 | 1);
                write_16(frame.data + 16, 0x88B5);
            }
        }
        for (std::size_t n = 0; n < frames.size(); n += burst_size) {
            const std::size_t sender = n / burst_size % senders_;
            rings_.hosts[sender]->bursts().transmit(std::span(frames).subspan(n, burst_size));
        }
    }
    // Until the switch is empty, and XON was sent to its peers.
    void drain() {
        for (Nanos last = clock_.now(); clock_.now() - last < silence || !dataplane_.empty();) {
            for (const auto& host : rings_.hosts) {
                std::array<Frame, burst_size> burst;
                const std::size_t count = host->bursts().receive(burst);
                if (count == 0) continue;
                last = clock_.now();
                std::array<void*, burst_size> handles;
                for (std::size_t n = 0; n < count; ++n) handles[n] = burst[n].handle;
                pool_.free(std::span(handles).first(count));
            }
        }
    }

    const pmd::Clock clock_ = pmd::Clock::calibrated();
    const Settings settings_ = settings_of();
    pmd::Pool& pool_;
    const std::size_t senders_;
    bench::CrossedRings rings_;
    Switch dataplane_;
    pmd::Workers workers_;
};

void measure(bench::Report& report, pmd::Eal& eal, pmd::Pool& pool, std::size_t senders) {
    Incast incast(eal, pool, senders);
    std::vector<double> times;
    for (std::size_t n = 0; n < pauses; ++n) {
        const auto time = incast.pause(static_cast<PortIndex>(n % senders));
        if (time) times.push_back(static_cast<double>(time->count()));
    }
    if (times.empty()) {
        fmt::print(stderr, "pfc_generation: no pause frame\n");
        std::exit(1);
    }
    std::ranges::sort(times);
    report.add("pfc_generation", {{"busy_ports", senders},
                                  {"ports", port_count},
                                  {"p50_ns", times[times.size() / 2]},
                                  {"p99_ns", times[times.size() * 99 / 100]},
                                  {"left_out", pauses - times.size()},
                                  {"frame_bytes", octets + 4},
                                  {"workers", 1}});
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    pmd::use_large_pages();
    const std::vector<unsigned> cpus = pmd::usable_cpus();
    if (cpus.size() < 2) {
        fmt::print(stderr, "pfc_generation: left out, worker and hosts take two CPUs\n");
        return 0;
    }
    const pmd::PoolRequest request{.buffers = 16384};
    auto eal = bench::require(
        pmd::Eal::start({.worker_cpus = {cpus.back()}, .memory = pmd::Pool::memory_for(request)}));
    const auto pool = bench::require(pmd::Pool::create(request));
    for (const std::size_t senders : {1U, 3U}) measure(report, eal, *pool, senders);
}
