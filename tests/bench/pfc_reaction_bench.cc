// pfc_reaction: from a pause frame in the device of a port to the last data frame of that priority
// out of its device. One worker on a core of its own moves frames from port 0 to port 1; the host
// behind port 1 pauses it, again and again, and looks what still comes.
//
//   drained   the host takes frames of 64 octets as they come, one each 168 ns, so that the device
//             holds next to nothing: what is left is how late the switch receives and obeys
//   full      the host takes a frame of 1500 octets each microsecond, so that the device is full
//             when the pause comes: its ring is what still comes, and the ring's depth the bound
//
// In the figure: the ring of the pause frame, the worker's poll, and reading the host's clock. Not
// in it: a NIC. Times are of single pauses; p50 and p99 over all of them, but for `left_out`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
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
constexpr int pauses = 500;
constexpr Nanos flowing = 200_us;       // before each pause
constexpr Nanos silence = 500_us;       // without a frame: it is paused
constexpr Nanos longest_turn = 100_us;  // of a host that has its core
constexpr Nanos longest_pause = 3_ms;   // 65535 quanta at 10 Gb/s, and less
constexpr std::size_t backlog = 1500;   // frames that are kept in the switch: more than a ring

struct Case {
    const char* name;
    uint16_t length;     // of a frame, without FCS
    BitsPerSecond rate;  // of port 1; 0: as fast as its device
    Nanos frame_gap;     // of the host behind it
};

// The two hosts, in the calling thread.
class Hosts {
  public:
    Hosts(pmd::Pool& pool, const pmd::Clock& clock, pmd::Port& sender, pmd::Port& receiver,
          const Case& with)
        : pool_(pool),
          clock_(clock),
          sender_(sender),
          receiver_(receiver),
          length_(with.length),
          gap_(with.frame_gap) {}

    void run_for(Nanos span) {
        for (const Nanos end = clock_.now() + span; clock_.now() < end;) poll();
    }
    struct Reaction {
        Nanos last_frame;     // after the pause was handed to the device
        uint64_t frames = 0;  // that came after it
    };
    // Nothing: the host was kept from its core, so its times are worthless. Ends when the pause
    // may.
    std::optional<Reaction> pause() {
        send_pause(65535);
        const Nanos start = clock_.now();
        const uint64_t before = received_;
        last_at_ = start;
        bool was_away = false;
        for (Nanos now = start; now - last_at_ < silence && now - start < longest_pause;) {
            poll();
            const Nanos next = clock_.now();
            was_away |= next - now > longest_turn;
            now = next;
        }
        send_pause(0);
        if (was_away) return {};
        return Reaction{last_at_ - start, received_ - before};
    }
    // Takes what is left, until nothing comes.
    void drain() {
        filling_ = false;
        gap_ = Nanos(0);
        for (last_at_ = clock_.now(); clock_.now() - last_at_ < silence * 4;) poll();
    }

  private:
    void poll() {
        if (filling_ && sent_ - received_ < backlog) send();
        const Nanos now = clock_.now();
        if (now < next_at_) return;
        next_at_ = now + gap_;
        std::array<Frame, max_burst> burst;
        const std::size_t most = gap_.count() == 0 ? burst.size() : 1;
        const std::size_t count = receiver_.bursts().receive(std::span(burst).first(most));
        if (count == 0) return;
        last_at_ = now;
        received_ += count;
        std::array<void*, max_burst> handles;
        for (std::size_t n = 0; n < count; ++n) handles[n] = burst[n].handle;
        pool_.free(std::span(handles).first(count));
    }
    void send() {
        std::array<Frame, 32> burst;
        if (!pool_.allocate(burst, length_)) return;
        for (Frame& frame : burst) {
            write_address(frame.data, {0x0200'0000'0101});
            write_address(frame.data + 6, {0x0200'0000'0100});
            write_16(frame.data + 12, 0x8100);
            write_16(frame.data + 14, priority << 13 | 1);
            write_16(frame.data + 16, 0x88B5);
        }
        transmit(sender_, burst);
    }
    void send_pause(uint16_t quanta) {
        std::array<Frame, 1> frame;
        if (!pool_.allocate(frame, pause_frame_octets)) std::exit(1);
        PauseFrame pause;
        pause.enabled = only_priority(priority);
        pause.time[priority] = quanta;
        write_pause_frame(std::span<uint8_t, pause_frame_octets>(frame[0].data, pause_frame_octets),
                          {0x0200'0000'0101}, pause);
        transmit(receiver_, frame);
    }
    void transmit(pmd::Port& port, std::span<const Frame> frames) {
        const std::size_t taken = port.bursts().transmit(frames);
        if (&port == &sender_) sent_ += taken;
        std::array<void*, 32> handles;
        const auto refused = frames.subspan(taken);
        for (std::size_t n = 0; n < refused.size(); ++n) handles[n] = refused[n].handle;
        pool_.free(std::span(handles).first(refused.size()));
    }

    pmd::Pool& pool_;
    const pmd::Clock& clock_;
    pmd::Port& sender_;
    pmd::Port& receiver_;
    uint16_t length_;
    Nanos gap_;
    Nanos next_at_;
    Nanos last_at_;
    uint64_t sent_ = 0;
    uint64_t received_ = 0;
    bool filling_ = true;
};

void measure(bench::Report& report, pmd::Eal& eal, pmd::Pool& pool, const Case& with) {
    Settings settings;
    settings.ports.resize(2);
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = only_priority(priority);
        port.pfc.xoff = 8_MiB;  // no pause but the host's
    }
    settings.ports[1].rate = with.rate;
    settings.fdb.static_entries.push_back({1, {0x0200'0000'0101}, 1});
    Switch dataplane(settings);
    for (PortIndex port = 0; port < 2; ++port) dataplane.set_link(port, true);
    bench::CrossedRings rings(with.name, 2, pool);
    const auto clock = pmd::Clock::calibrated();
    pmd::Workers workers(dataplane, settings, {rings.ports[0].get(), rings.ports[1].get()}, {&pool},
                         clock, {.idle = pmd::Idle::poll});
    workers.start(eal);

    Hosts behind(pool, clock, *rings.hosts[0], *rings.hosts[1], with);
    std::vector<double> times;
    uint64_t most_frames = 0;
    int left_out = 0;
    for (int n = 0; n < pauses; ++n) {
        // Long enough to fill the ring again.
        behind.run_for(flowing + with.frame_gap * static_cast<int64_t>(backlog));
        const auto reaction = behind.pause();
        if (!reaction) {
            ++left_out;
            continue;
        }
        times.push_back(static_cast<double>(reaction->last_frame.count()));
        most_frames = std::max(most_frames, reaction->frames);
    }
    behind.drain();
    while (!workers.stop().empty()) continue;
    if (left_out > pauses / 4) {
        fmt::print(stderr, "pfc_reaction: others kept the host from its core at {} of {} pauses\n",
                   left_out, pauses);
        return;
    }
    std::ranges::sort(times);
    report.add("pfc_reaction", {{"device", with.name},
                                {"p50_ns", times[times.size() / 2]},
                                {"p99_ns", times[times.size() * 99 / 100]},
                                {"frames_after_at_most", most_frames},
                                {"left_out", left_out},
                                {"ring_frames", rings.ports[1]->tx_descriptors()},
                                {"frame_bytes", with.length + 4},
                                {"workers", 1}});
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    pmd::use_large_pages();
    const pmd::PoolRequest request{.buffers = 16384};
    auto eal = bench::require(pmd::Eal::start(
        {.worker_cpus = {pmd::usable_cpus().back()}, .memory = pmd::Pool::memory_for(request)}));
    const auto pool = bench::require(pmd::Pool::create(request));
    measure(report, eal, *pool, {"drained", 60, 4_Gbps, 0_ns});
    measure(report, eal, *pool, {"full", 1496, BitsPerSecond(0), 1_us});
}
