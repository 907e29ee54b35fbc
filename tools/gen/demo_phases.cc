#include "tools/gen/demo_phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tools/gen/run.h"

namespace sluice::gen {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

// Asks until it is so, or for `limit`.
template <class Condition>
bool becomes_true(DemoSwitch& demo, Condition condition, steady_clock::duration limit) {
    const auto give_up = steady_clock::now() + limit;
    while (!condition()) {
        if (steady_clock::now() > give_up) return false;
        demo.attend(1ms);
    }
    return true;
}

}  // namespace

Tally tally_of(const Switch& fabric, PortSet stations) {
    Tally sum;
    for (PortIndex port = 0; port < fabric.port_count(); ++port) {
        const PortCounters& counters = fabric.counters(port);
        if ((stations & only(port)) != 0) {
            sum.received += counters.rx_frames.value();
            sum.sent += counters.tx_frames.value();
        }
        sum.pauses_sent += counters.generated.value();
        sum.pauses_heard += counters.drops.of(Drop::mac_control);
        for (std::size_t reason = 0; reason < drop_reasons; ++reason) {
            const auto drop = static_cast<Drop>(reason);
            if (drop == Drop::mac_control) continue;
            sum.drops[reason] += counters.drops.of(drop) + counters.egress_drops.of(drop);
        }
    }
    return sum;
}

Tally operator-(Tally later, const Tally& earlier) {
    later.received -= earlier.received;
    later.sent -= earlier.sent;
    later.pauses_sent -= earlier.pauses_sent;
    later.pauses_heard -= earlier.pauses_heard;
    std::ranges::transform(later.drops, earlier.drops, later.drops.begin(), std::minus());
    return later;
}

uint64_t Tally::dropped() const { return std::accumulate(drops.begin(), drops.end(), uint64_t{0}); }

bool PhaseResult::right() const {
    const bool losses_right =
        results.lost == tally.dropped() && (plan.may_lose || results.lost == 0);
    return quiesced && balanced && losses_right && results.delivered > 0 &&
           results.reordered == 0 && results.duplicates == 0;
}

DemoPhases::DemoPhases(DemoSwitch& demo, const DemoSettings& settings)
    : demo_(demo), settings_(settings) {
    for (const PortIndex station : demo.stations()) stations_ |= only(station);
    const PortSettings& first = demo.settings().ports[demo.stations().front()];
    style_.family = first.format.family;
    style_.ecn_capable =
        std::ranges::any_of(first.ecn, [](const EcnSettings& ecn) { return ecn.high.count() > 0; });
}

// Whatever was sent into a cable between two switches has come out of it.
bool DemoPhases::cables_are_empty() const {
    uint64_t sent = 0;
    uint64_t received = 0;
    for (PortIndex port = 0; port < demo_.fabric().port_count(); ++port) {
        if ((stations_ & only(port)) != 0) continue;
        sent += demo_.fabric().counters(port).tx_frames.value();
        received += demo_.fabric().counters(port).rx_frames.value();
    }
    return sent == received;
}

bool DemoPhases::introduce() {
    const Switch& fabric = demo_.fabric();
    const uint64_t before = tally().received;
    const std::size_t sent = announce(demo_.links(), 0, style_.family);
    const bool heard = becomes_true(
        demo_,
        [&] { return tally().received - before == sent && fabric.empty() && cables_are_empty(); },
        1s);
    // The announcements were flooded: they are nobody's.
    std::array<Frame, burst_frames> frames;
    for (Link* link : demo_.links()) {
        while (const std::size_t count = link->receive(frames)) {
            link->release(std::span(frames).first(count));
        }
    }
    return heard && sent == demo_.links().size();
}

PhasePlan DemoPhases::plan(std::string name, std::string title, Shape shape,
                           PrioritySet priorities) {
    PhasePlan plan{std::move(name), std::move(title), {}, settings_.duration, false};
    SenderSettings& senders = plan.traffic.senders;
    senders.pattern.shape = shape;
    senders.style = style_;
    senders.pattern.ports = static_cast<PortIndex>(settings_.ports);
    senders.pattern.priorities = priorities;
    senders.pattern.frames = FrameMix::fixed(settings_.frame_octets);
    senders.pattern.seed = settings_.seed;
    senders.run = next_run_++;
    senders.obeys = only_priority(demo_lossless);
    senders.speed = demo_speed;
    return plan;
}

Rate DemoPhases::share_of_port(const PhaseResult& phase, double share) const {
    const double of_port = phase.mpps * 1e6 / static_cast<double>(settings_.ports);
    return Rate::frames(std::max(static_cast<int64_t>(of_port * share), int64_t{1000}));
}

bool DemoPhases::shares_a_trunk() const {
    return demo_.stations().size() < demo_.fabric().port_count();
}

// A trunk is too little for all who are behind it, and what is lossy may be lost there.
PrioritySet DemoPhases::uniform_priorities() const {
    constexpr PrioritySet lossless = only_priority(demo_lossless);
    return shares_a_trunk() ? lossless : lossless | only_priority(0) | only_priority(5);
}

PhaseResult DemoPhases::uniform(const Look& look) {
    const std::string_view priorities =
        shares_a_trunk() ? "lossless priority 3" : "priorities 0, 3 and 5";
    return run(plan("uniform", fmt::format("everybody to everybody on {}, flat out", priorities),
                    Shape::uniform, uniform_priorities()),
               look);
}

PhaseResult DemoPhases::uniform_paced(const PhaseResult& flat_out, const Look& look) {
    PhasePlan phase = plan("uniform_paced", "the same at four fifths of that rate", Shape::uniform,
                           uniform_priorities());
    phase.traffic.senders.rate = share_of_port(flat_out, 0.8);
    phase.duration = settings_.duration / 2;
    return run(std::move(phase), look);
}

PhaseResult DemoPhases::many_to_one(bool lossless, const PhaseResult& flat_out, const Look& look) {
    const std::string& slow = demo_.name_of(demo_.stations().front());
    PhasePlan phase =
        lossless ? plan("many_to_one_lossless",
                        fmt::format("all to {}, which is slow, on lossless priority 3", slow),
                        Shape::incast, only_priority(demo_lossless))
                 : plan("many_to_one_lossy",
                        fmt::format("all to {}, which is slow, on lossy priority 0", slow),
                        Shape::incast, only_priority(0));
    phase.may_lose = !lossless;
    phase.traffic.host = share_of_port(flat_out, 0.5);
    if (lossless) {
        phase.traffic.pauses = only_priority(demo_lossless);
        phase.traffic.pauses_from = demo_.clock().now() + settings_.duration / 2;
    }
    return run(std::move(phase), look);
}

PhaseResult DemoPhases::run(PhasePlan plan, const Look& look) {
    const Tally before = tally();
    Generator generator(demo_.links(), plan.traffic, demo_.clock().now());
    Run run(generator, demo_.clock(), plan.duration, demo_.shares_cpu());
    const auto poll = [](void* argument) {
        static_cast<Run*>(argument)->poll_until_over();
        return 0;
    };
    demo_.launch(poll, &run);
    while (run.stage() == Run::Stage::sending) {
        demo_.attend(20ms);
        if (!look(plan, generator)) run.stop_sending();
    }
    PhaseResult result;
    result.quiesced = wait_until_quiet(generator, before);
    run.end();
    demo_.wait();

    result.seconds = static_cast<double>(run.sent_for().count()) / 1e9;
    result.mpps = static_cast<double>(run.delivered_meanwhile()) / result.seconds / 1e6;
    result.results = generator.results();
    result.tally = tally() - before;
    const Ledger ledger = ledger_of(demo_.fabric());
    result.balanced = ledger.balanced() && ledger.waiting == 0;
    result.plan = std::move(plan);
    return result;
}

// Until what the stations sent was received by the switch and the other way round. Exact, because a
// ring loses nothing.
bool DemoPhases::wait_until_quiet(const Generator& generator, const Tally& before) const {
    return becomes_true(
        demo_,
        [&] {
            uint64_t sent = 0;
            uint64_t arrived = 0;
            for (PortIndex port = 0; port < generator.ports(); ++port) {
                sent += generator.sender(port).frames();
                sent += generator.receiver(port).pause_frames_sent();
                arrived += generator.receiver(port).frames();
            }
            const Tally passed = tally() - before;
            return passed.received == sent && passed.sent == arrived && demo_.fabric().empty() &&
                   cables_are_empty();
        },
        10s);
}

}  // namespace sluice::gen
