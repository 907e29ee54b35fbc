#include "tools/gen/benchmarks/trials.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "tools/gen/run.h"
#include "tools/gen/streams.h"

namespace sluice::gen {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

uint64_t frames_seen(const Generator& generator) {
    uint64_t seen = 0;
    for (PortIndex port = 0; port < generator.ports(); ++port) {
        seen += generator.receiver(port).frames() + generator.frames_sent(port);
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
        sent += generator.frames_sent(port);
        arrived += generator.receiver(port).probes();
        pauses += generator.receiver(port).pause_frames_received();
    }
    const double micros = std::chrono::duration<double, std::micro>(passed - passed_before).count();
    // On a terminal each line replaces the one before; in a file all lines are kept.
    const bool terminal = ::isatty(STDERR_FILENO) == 1;
    say(fmt::format(
        "{}{:6.1f} s  sent {:8.3f} Mpps  arrived {:8.3f} Mpps  PFC frames received {} {}",
        terminal ? "\r" : "", std::chrono::duration<double>(passed).count(),
        static_cast<double>(sent - sent_before) / micros,
        static_cast<double>(arrived - arrived_before) / micros, pauses, terminal ? "" : "\n"));
    sent_before = sent;
    arrived_before = arrived;
    passed_before = passed;
}

// Waits until no frame has moved for a while.
void wait_for_stragglers(const Generator& generator) {
    uint64_t before = ~uint64_t{0};
    const auto give_up = steady_clock::now() + 3s;
    while (before != frames_seen(generator) && steady_clock::now() < give_up) {
        before = frames_seen(generator);
        std::this_thread::sleep_for(300ms);
    }
}

// Returns the pairs of VLAN and format that the streams use. For each pair: the highest number of
// addresses of a station among its streams.
std::map<std::pair<VlanId, FormatFamily>, uint32_t> vlans_of(const std::vector<Stream>& streams) {
    std::map<std::pair<VlanId, FormatFamily>, uint32_t> vlans;
    for (const Stream& stream : streams) {
        if (!stream.sender.octets.empty()) continue;
        uint32_t& most = vlans[{stream.sender.vlan, stream.sender.style.family}];
        most = std::max(most, stream.sender.addresses);
    }
    return vlans;
}

}  // namespace

void Trials::watch(Run& run, const Generator& generator, bool quiet) {
    const auto start = steady_clock::now();
    auto next_line = start + 500ms;
    while (run.stage() == Run::Stage::sending) {
        std::this_thread::sleep_for(10ms);
        if (interrupted_) run.stop_sending();
        if (quiet || steady_clock::now() < next_line) continue;
        show_progress(generator, steady_clock::now() - start);
        next_line += 500ms;
    }
    if (!quiet && ::isatty(STDERR_FILENO) == 1) say("\n");
    wait_for_stragglers(generator);
    run.end();
}

// Announces all addresses of all stations: sends a burst on each link, then waits for the device to
// learn the addresses, which may take longer than forwarding. During that time the frames that
// arrive on any link are discarded; otherwise flooded announcements would fill the links.
void Trials::introduce(const SenderSettings& senders) {
    constexpr uint32_t at_once = 32;
    for (uint32_t first = 0; first < senders.addresses && !interrupted_; first += at_once) {
        if (first > 0) {
            std::this_thread::sleep_for(1ms);
            discard_arrivals(links_);
        }
        const uint32_t count = std::min(at_once, senders.addresses - first);
        announce(links_, senders.vlan, senders.style.family, {first, count});
    }
}

Trial Trials::run(Traffic traffic, const TrialPlan& plan, bool quiet) {
    traffic.senders.pattern.frames = plan.frames;
    traffic.senders.rate = plan.rate;
    traffic.senders.frames = plan.frames_each;
    // Stations are announced before each trial, since addresses age.
    for (int time = 0; time < 3 && !interrupted_; ++time) {
        if (traffic.streams.empty()) introduce(traffic.senders);
        for (const auto& [network, addresses] : vlans_of(traffic.streams)) {
            introduce({.vlan = network.first,
                       .addresses = addresses,
                       .style = {.family = network.second}});
        }
        std::this_thread::sleep_for(50ms);
    }
    // The run's number distinguishes its frames from frames of an earlier run that are still in
    // flight.
    traffic.senders.run =
        static_cast<uint16_t>(steady_clock::now().time_since_epoch().count() >> 20);
    Generator generator(links_, traffic, clock_.now());
    // The generator need not yield after every poll. If it shares a CPU with the tested device, the
    // rings between them become full or empty, polls move no frame, and it yields after some such
    // polls. If it has a CPU of its own, a yield after each poll would cost a fifth of its speed.
    constexpr bool yields_always = false;
    Run run(generator, clock_, plan.duration, yields_always, plan.change);
    const auto poll = [](void* argument) {
        static_cast<Run*>(argument)->poll_until_over();
        return 0;
    };
    eal_.launch(0, poll, &run);
    watch(run, generator, quiet);
    eal_.wait(0);

    Trial trial;
    trial.summary = {links_.size(), traffic.senders.addresses,
                     static_cast<double>(run.sent_for().count()) / 1e9, 0, generator.results()};
    for (const Stream& stream : traffic.streams) trial.summary.streams.push_back(stream.name);
    trial.lossy_after = run.lossy_after();
    const double seconds = trial.summary.seconds;
    trial.summary.mpps = static_cast<double>(run.delivered_meanwhile()) / seconds / 1e6;
    for (PortIndex port = 0; port < generator.ports(); ++port) {
        const auto sent = static_cast<double>(generator.frames_sent(port));
        trial.fastest_sender = std::max(trial.fastest_sender, sent / seconds);
    }
    return trial;
}

std::optional<Trial> Trials::try_plan(const Traffic& traffic, const TrialPlan& plan) {
    Trial trial = run(traffic, plan, true);
    if (interrupted_) return {};
    return trial;
}

}  // namespace sluice::gen
