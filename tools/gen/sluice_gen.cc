// sluice-gen: traffic by any ports, measured where it comes back. One lcore sends and receives by
// all of them; this thread shows what happens and decides when it is over, and what to try next.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>

#include "pmd_glue/eal.h"
#include "pmd_glue/privileges.h"
#include "tools/gen/device_link.h"
#include "tools/gen/options.h"
#include "tools/gen/report.h"
#include "tools/gen/run.h"
#include "tools/gen/streams.h"
#include "tools/gen/throughput.h"

namespace {

using namespace sluice;
using namespace sluice::gen;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr int it_failed = 1;
constexpr int words_were_wrong = 2;

std::atomic<bool> interrupted{false};

int complain(const pmd::Error& error, int status) {
    say(fmt::format("sluice-gen: {}\n", error.text()));
    return status;
}

struct Devices {
    std::unique_ptr<pmd::Pool> pool;
    std::vector<std::unique_ptr<DeviceLink>> links;
    std::vector<Link*> views;
    bool give_back = false;  // settings of kernel interfaces, when they are closed
};

tl::expected<Devices, pmd::Error> open_devices(const std::vector<pmd::PortRequest>& requests,
                                               const pmd::PoolRequest& buffers) {
    Devices devices;
    auto pool = pmd::Pool::create(buffers);
    if (!pool) return tl::unexpected(pool.error());
    devices.pool = std::move(*pool);
    for (const pmd::PortRequest& request : requests) {
        auto port = pmd::Port::open(request, *devices.pool);
        if (!port) return tl::unexpected(port.error());
        for (const std::string& notice : (*port)->notices()) {
            say(fmt::format("sluice-gen: {}\n", notice));
        }
        devices.give_back = devices.give_back || (*port)->gives_back();
        devices.links.push_back(std::make_unique<DeviceLink>(std::move(*port), *devices.pool));
        devices.views.push_back(devices.links.back().get());
    }
    return devices;
}

pmd::PoolRequest buffers_for(const std::vector<pmd::PortRequest>& requests,
                             std::span<const pmd::Device> devices) {
    pmd::PoolRequest buffers;
    buffers.layout = pmd::layout_for(devices);
    buffers.buffers = 4096 + pmd::Pool::cached_by(2);
    for (const pmd::PortRequest& request : requests) {
        // What a sender holds beside its device: a burst a priority and a burst a length.
        buffers.buffers +=
            pmd::buffers_for(request) + burst_frames * (max_priorities + FrameMix::most_parts);
    }
    return buffers;
}

uint64_t frames_seen(const Generator& generator) {
    uint64_t seen = 0;
    for (PortIndex port = 0; port < generator.ports(); ++port) {
        seen += generator.receiver(port).frames() + generator.sender(port).frames();
    }
    return seen;
}

void show_progress(const Generator& generator, steady_clock::duration passed) {
    static uint64_t sent_before = 0;
    static uint64_t arrived_before = 0;
    static steady_clock::duration passed_before{};
    uint64_t sent = 0;
    uint64_t arrived = 0;
    uint64_t pauses = 0;
    for (PortIndex port = 0; port < generator.ports(); ++port) {
        sent += generator.sender(port).frames();
        arrived += generator.receiver(port).probes();
        pauses += generator.receiver(port).pause_frames_heard();
    }
    const double micros = std::chrono::duration<double, std::micro>(passed - passed_before).count();
    // A terminal shows one line that changes, a file shows them all.
    const bool terminal = ::isatty(STDERR_FILENO) == 1;
    say(fmt::format("{}{:6.1f} s  sent {:8.3f} Mpps  arrived {:8.3f} Mpps  PFC frames heard {} {}",
                    terminal ? "\r" : "", std::chrono::duration<double>(passed).count(),
                    static_cast<double>(sent - sent_before) / micros,
                    static_cast<double>(arrived - arrived_before) / micros, pauses,
                    terminal ? "" : "\n"));
    sent_before = sent;
    arrived_before = arrived;
    passed_before = passed;
}

// Until nothing has moved for a while.
void wait_for_stragglers(const Generator& generator) {
    uint64_t before = ~uint64_t{0};
    const auto give_up = steady_clock::now() + 3s;
    while (before != frames_seen(generator) && steady_clock::now() < give_up) {
        before = frames_seen(generator);
        std::this_thread::sleep_for(300ms);
    }
}

// Watches a run from its start to its end.
void watch(Run& run, const Generator& generator, bool quiet) {
    const auto start = steady_clock::now();
    auto next_line = start + 500ms;
    while (run.stage() == Run::Stage::sending) {
        std::this_thread::sleep_for(10ms);
        if (interrupted) run.stop_sending();
        if (quiet || steady_clock::now() < next_line) continue;
        show_progress(generator, steady_clock::now() - start);
        next_line += 500ms;
    }
    if (!quiet && ::isatty(STDERR_FILENO) == 1) say("\n");
    wait_for_stragglers(generator);
    run.end();
}

// Where runs take place, one after the other.
struct Bench {
    pmd::Eal& eal;
    std::span<Link* const> links;
    pmd::Clock clock;
};

// All addresses of all stations: a burst of them by each link, then time for who learns them, which
// may cost him more than a frame does. Links that nobody heard meanwhile would fill with copies.
void introduce(std::span<Link* const> links, const SenderSettings& senders) {
    constexpr uint32_t at_once = 32;
    for (uint32_t first = 0; first < senders.addresses && !interrupted; first += at_once) {
        if (first > 0) {
            std::this_thread::sleep_for(1ms);
            discard_arrivals(links);
        }
        const uint32_t count = std::min(at_once, senders.addresses - first);
        announce(links, senders.vlan, senders.style.family, {first, count});
    }
}

// One run from its first frame to its last one.
Trial run_once(Bench& bench, Traffic traffic, Nanos duration, bool quiet) {
    // Each time, since addresses age.
    for (int time = 0; time < 3 && !interrupted; ++time) {
        introduce(bench.links, traffic.senders);
        std::this_thread::sleep_for(50ms);
    }
    // So that what an earlier run left on the way is not taken for ours.
    traffic.senders.run =
        static_cast<uint16_t>(steady_clock::now().time_since_epoch().count() >> 20);
    Generator generator(bench.links, traffic, bench.clock.now());
    // On one CPU with what it tests it gets no farther than the rings between them let it, and then
    // it yields; alone on a CPU, yielding after each poll would cost it a fifth of its speed.
    constexpr bool yields_always = false;
    Run run(generator, bench.clock, duration, yields_always);
    const auto poll = [](void* argument) {
        static_cast<Run*>(argument)->poll_until_over();
        return 0;
    };
    bench.eal.launch(0, poll, &run);
    watch(run, generator, quiet);
    bench.eal.wait(0);

    Trial trial;
    trial.summary = {bench.links.size(), traffic.senders.addresses,
                     static_cast<double>(run.sent_for().count()) / 1e9, 0, generator.results()};
    const double seconds = trial.summary.seconds;
    trial.summary.mpps = static_cast<double>(run.delivered_meanwhile()) / seconds / 1e6;
    for (PortIndex port = 0; port < generator.ports(); ++port) {
        const auto sent = static_cast<double>(generator.sender(port).frames());
        trial.fastest_sender = std::max(trial.fastest_sender, sent / seconds);
    }
    return trial;
}

int run_and_report(const Options& options, Bench& bench) {
    const Summary summary =
        run_once(bench, options.traffic, options.duration, options.quiet).summary;
    const Results& results = summary.results;
    if (options.json) {
        fmt::print("{}\n", to_json(summary).dump());
    } else {
        fmt::print("{}", to_text(summary));
    }
    const bool lossless = options.traffic.senders.obeys != 0;
    return results.delivered == 0 || (lossless && results.lost > 0) ? it_failed : 0;
}

int search_and_report(const Options& options, Bench& bench) {
    const auto tell = [&](const Throughput& so_far) {
        if (!options.quiet) say(progress_text(so_far) + '\n');
    };
    const PatternSettings& pattern = options.traffic.senders.pattern;
    const std::size_t frames_at_once = sender_count(pattern) * copies(pattern);
    std::vector<Throughput> found;
    for (const NamedMix& mix : options.mixes) {
        const auto trial = [&](const Rate& rate) -> std::optional<Trial> {
            Traffic traffic = options.traffic;
            traffic.senders.pattern.frames = mix.frames;
            traffic.senders.rate = rate;
            Trial done = run_once(bench, traffic, options.duration, true);
            if (interrupted) return {};
            return done;
        };
        found.push_back(find_throughput(mix, options.traffic.senders.rate, frames_at_once,
                                        *options.search, trial, tell));
        if (interrupted) break;
    }
    if (options.json) {
        fmt::print("{}\n", to_json(bench.links.size(), options.traffic.senders.addresses,
                                   *options.search, found)
                               .dump());
    } else {
        fmt::print("{}", to_text(*options.search, found));
    }
    const bool all = std::ranges::all_of(
        found, [](const Throughput& one) { return one.complete && one.best.has_value(); });
    return all ? 0 : it_failed;
}

int generate(const Options& options) {
    std::vector<pmd::Device> devices;
    std::vector<pmd::PortRequest> requests;
    pmd::EalOptions eal_options;
    for (const std::string& text : options.devices) {
        auto device = pmd::parse_device(text);
        if (!device) return complain(device.error(), words_were_wrong);
        devices.push_back(*device);
        requests.push_back({.name = text, .device = *device, .asked = {.hears_lldp = false}});
    }
    const pmd::PoolRequest buffers = buffers_for(requests, devices);
    // The last CPU: the first is where interrupts and a switch on the same machine like to be.
    const std::vector<unsigned> cpus = pmd::usable_cpus();
    eal_options.worker_cpus = {cpus.back()};
    eal_options.memory = pmd::Pool::memory_for(buffers);
    eal_options.devices = devices;
    eal_options.extra = options.eal;

    auto eal = pmd::Eal::start(eal_options);
    if (!eal) return complain(eal.error(), it_failed);
    auto opened = open_devices(requests, buffers);
    if (!opened) return complain(opened.error(), it_failed);

    for (const std::string& line :
         pmd::give_up_privileges(*eal, {.devices = devices, .gives_back = opened->give_back})) {
        say("sluice-gen: " + line + '\n');
    }
    Bench bench{*eal, opened->views, pmd::Clock::calibrated()};
    return options.search ? search_and_report(options, bench) : run_and_report(options, bench);
}

}  // namespace

int main(int argc, char** argv) {
    const auto words = read_options(argc, argv);
    if (const int* status = std::get_if<int>(&words)) return *status;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    return run_program("sluice-gen", [&] { return generate(std::get<Options>(words)); });
}
