#include "tools/gen/demo/phase.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tools/gen/run.h"

namespace sluice::gen {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 10s;

PortSet stations_of(const DemoSwitch& demo) {
    PortSet stations = 0;
    for (const PortIndex station : demo.stations()) stations |= only(station);
    return stations;
}

Tally tally_now(const DemoSwitch& demo) { return tally_of(demo.fabric(), stations_of(demo)); }

// Counts frames at the ends of cables between two switches.
Tally tally_of_cables(const DemoSwitch& demo) {
    return tally_of(demo.fabric(), ~stations_of(demo));
}

// Whether the switch is empty and every frame that was sent into a cable has left the cable. The
// cables are read before and after the switch: otherwise a frame that moves from a cable into the
// switch or back could be missed in both.
bool is_empty(const DemoSwitch& demo) {
    const Tally before = tally_of_cables(demo);
    return before.sent == before.received && demo.fabric().empty() &&
           tally_of_cables(demo).sent == before.sent;
}

// Waits until the switch has received all frames of the stations, and the stations all frames of
// the switch. The wait is exact, because a ring loses no frame and the checks follow a frame's
// path: once all frames of the stations are in the switch, the switch is empty only after the last
// of them has left, and it sends no frame after that.
bool wait_until_idle(DemoSwitch& demo, const Generator& generator, const Tally& before) {
    return demo.attend_until(
        [&] {
            uint64_t sent = 0;
            for (PortIndex port = 0; port < generator.ports(); ++port) {
                sent += generator.frames_sent(port);
                sent += generator.receiver(port).pause_frames_sent();
            }
            if ((tally_now(demo) - before).received != sent || !is_empty(demo)) return false;
            const uint64_t left = (tally_now(demo) - before).sent;
            uint64_t arrived = 0;
            for (PortIndex port = 0; port < generator.ports(); ++port) {
                arrived += generator.receiver(port).frames();
            }
            return left == arrived;
        },
        patience);
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
        sum.pauses_received += counters.drops.of(Drop::mac_control);
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
    later.pauses_received -= earlier.pauses_received;
    std::ranges::transform(later.drops, earlier.drops, later.drops.begin(), std::minus());
    return later;
}

uint64_t Tally::dropped() const { return std::accumulate(drops.begin(), drops.end(), uint64_t{0}); }

std::string PhaseResult::fault() const {
    if (!quiesced) return "frames were still on their way after 10 s, so the counts are not exact";
    if (!balanced) return "the switch's ledger does not balance";
    if (results.delivered == 0) return "nothing was delivered";
    if (!plan.may_lose && results.lost > 0)
        return fmt::format("{} frames were lost, but none may be", results.lost);
    if (results.lost != tally.dropped()) {
        return fmt::format("{} frames were lost, but drop counters show {}", results.lost,
                           tally.dropped());
    }
    if (results.reordered > 0)
        return fmt::format("{} frames arrived out of order", results.reordered);
    if (results.duplicates > 0) return fmt::format("{} frames arrived twice", results.duplicates);
    return {};
}

Rate PhaseResult::share_of_port(double share) const {
    const double of_port = mpps * 1e6 / plan.traffic.senders.pattern.ports;
    return Rate::frames(std::max(static_cast<int64_t>(of_port * share), int64_t{1000}));
}

Traffic demo_traffic(std::size_t ports, Shape shape, PrioritySet priorities,
                     uint16_t frame_octets) {
    Traffic traffic;
    SenderSettings& senders = traffic.senders;
    senders.pattern.shape = shape;
    senders.pattern.ports = static_cast<PortIndex>(ports);
    senders.pattern.priorities = priorities;
    senders.pattern.frames = FrameMix::fixed(frame_octets);
    senders.obeys = only_priority(demo_lossless);
    senders.speed = demo_speed;
    return traffic;
}

bool introduce(DemoSwitch& demo, FormatFamily family) {
    const uint64_t before = tally_now(demo).received;
    const std::size_t sent = announce(demo.links(), 0, family);
    const bool received = demo.attend_until(
        [&] { return tally_now(demo).received - before == sent && is_empty(demo); }, patience);
    discard_arrivals(demo.links());
    return received && sent == demo.links().size();
}

PhaseResult run_phase(DemoSwitch& demo, PhasePlan plan, const Look& look) {
    const Tally before = tally_now(demo);
    Generator generator(demo.links(), plan.traffic, demo.clock().now());
    Run run(generator, demo.clock(), plan.duration, demo.shares_cpu());
    const auto poll = [](void* argument) {
        static_cast<Run*>(argument)->poll_until_over();
        return 0;
    };
    demo.launch(poll, &run);
    while (run.stage() == Run::Stage::sending) {
        demo.attend(20ms);
        if (!look(plan, generator)) run.stop_sending();
    }
    PhaseResult result;
    result.quiesced = wait_until_idle(demo, generator, before);
    run.end();
    demo.wait();

    result.seconds = static_cast<double>(run.sent_for().count()) / 1e9;
    result.longest_gap = run.longest_gap();
    result.mpps = static_cast<double>(run.delivered_meanwhile()) / result.seconds / 1e6;
    result.results = generator.results();
    result.tally = tally_now(demo) - before;
    const Ledger ledger = ledger_of(demo.fabric());
    result.balanced = ledger.balanced() && ledger.waiting == 0;
    result.plan = std::move(plan);
    return result;
}

}  // namespace sluice::gen
